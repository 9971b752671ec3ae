// The link has been revoked: delete what this device stored about its table.

import { uninstall } from "./shell.js";
import { erase } from "./store.js";

const base = location.pathname.match(/^.*?\/s\/[^/]+\//)?.[0];
if (base) {
  erase(base);
  uninstall(base).catch(() => {});
}
