// The service worker of a player's own page: it shows what the server tells, and opens the page.
self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("push", (event) => {
  const { title, body, tag } = event.data.json();
  event.waitUntil(self.registration.showNotification(title, { body, tag, renotify: true, vibrate: [200, 100, 200] }));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const open = async () => {
    const page = self.registration.scope;
    const windows = await self.clients.matchAll({ type: "window" });
    const there = windows.find(({ url }) => url.startsWith(page));
    return there ? there.focus() : self.clients.openWindow(page);
  };
  event.waitUntil(open());
});
