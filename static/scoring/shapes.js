// The shapes that the table's scripts and the server share; tests/scoring/table.schema.json says the
// same for the tests of both sides. This file has no code.

/**
 * Where in a game: the deal from 0, its stage, and the phase (0 or null where the game is over).
 * @typedef {{deal: number, stage: string, phase: number | null}} Place
 */

/**
 * A line of a game's log, which is never changed. `kind` is entry, void, amend, insert, reseat, paper or
 * checked; `target` the line that it takes back, replaces or precedes; `own`: the table itself wrote it.
 * @typedef {{id: string, row: number, kind: string, at: string, entry?: object, target?: string, own?: boolean}} Line
 */

/**
 * A tap of the log that no server has acknowledged. `act` is entry, back, correct, chicago, seats, next,
 * return, call, uncall, lost, slow, read, sign (or one that needs the server at once: take, accept, pin,
 * object, flip); `follows` is the line before it, `seating` and `names` who sat where. `waited`: it could
 * not be sent at once; `kept`: the server had it once; `nth`: its place among this device's taps.
 * @typedef {{id: string, act: string, at: number, game?: number, place?: Place, seating?: string, names?: string[],
 *   follows?: string | null, waited?: boolean, kept?: boolean, away?: number[], confirmed?: boolean, entry?: object,
 *   target?: string, seat?: number | null, key: string, nth?: number, label: string}} Tap
 */

/**
 * A game of the document: `seats` are names, `ids` the event's references, `drawn` those before any change.
 * @typedef {{game: number, status: string, seats: string[], ids: string[], drawn: string[], shorts: string[],
 *   labels: string[], dealer: number, seating: string, version: number, result?: object}} Game
 */

/**
 * What a table is besides its lines (scoring/reading/document.py).
 * @typedef {{heat: string, label: string, practice: boolean, directed: boolean, planned: number, mode: string,
 *   now: number, writes: boolean, lease: string | null, seated: boolean, signed: boolean, closed: boolean, called: boolean,
 *   objected: boolean, rules: string, chain: string[], advance: number, final: boolean, shot: number | null,
 *   games: Game[], declared: {game: number, deal: number, seat: number} | null, penalties: Object<string, string>,
 *   away: string[], gone: Object<string, string>, flips: string[][], waits: string, live: string, told: {id: string, text: string, at: string}[]}} TableDocument
 */

/**
 * What this device stores of one table, by its page's address. `skew`: how far the server's time was ahead of its own.
 * @typedef {{key: string, document: TableDocument, version: string, rules: object,
 *   parts: Object<string, {mark: string, html: string}>, lines: Object<string, Line[]>, at: number, skew: number}} Table
 */

/**
 * The server's answer (scoring/web/sync.py). `whole` are games of which all lines are sent, `lacks` the ids of
 * which it knows nothing, `wanted` the games of which it asks for all ids. `more`: the document has changed, too, and
 * is in the next answer. `same`: both sides say the same.
 * @typedef {{mark: string, took: string[], now: number, version?: string, shell?: string, lines?: Object<string, Line[]>,
 *   whole?: number[], more?: boolean, lacks?: Object<string, string[]>, wanted?: number[], document?: TableDocument, rules?: object,
 *   parts?: Object<string, {mark: string, html: string}>, told?: string,
 *   refused?: {tap: string, problem: {code: string, message: string}, sides?: {html: string, version: number, same: boolean}}}} Answer
 */

export {};
