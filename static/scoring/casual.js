// The kitchen table's start page opens again without network, where the address allows it: the games
// that were started on this device are found there, and each opens by itself.

import { install } from "./install.js";
import { uuid } from "./queue.js";

const { base } = document.querySelector("script[data-base]").dataset;

// A page that this device kept has the same mark each time it is opened; each is a game of its own.
for (const field of document.querySelectorAll("input[name=once]")) field.value = uuid();

const tell = () => document.body.classList.toggle("is-offline", !navigator.onLine);
window.addEventListener("online", tell);
window.addEventListener("offline", tell);
tell();
install(base).catch(() => {}); // without it the open page works all the same
