// The link has been closed: what this device kept of its table goes.

import { uninstall } from "./install.js";
import { erase } from "./store.js";

const base = location.pathname.match(/^.*?\/s\/[^/]+\//)?.[0];
if (base) {
  erase(base);
  uninstall(base).catch(() => {});
}
