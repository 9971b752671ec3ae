// The casual games' start page opens again offline, where the address allows it. It lists the games
// started on this device, and each opens by itself.

import { install } from "./install.js";
import { uuid } from "./queue.js";

const { base } = document.querySelector("script[data-base]").dataset;

// A cached page has the same id each time it is opened, but each start is a new game.
for (const field of document.querySelectorAll("input[name=once]")) field.value = uuid();

const tell = () => document.body.classList.toggle("is-offline", !navigator.onLine);
window.addEventListener("online", tell);
window.addEventListener("offline", tell);
tell();
install(base).catch(() => {}); // without it the open page works nevertheless
