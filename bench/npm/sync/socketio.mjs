// socket.io: one emit for each client and tick, with what has changed in its area.
import { createServer } from "node:http";
import { Server } from "socket.io";
import { at, port, stamp, step, tick, watch } from "./world.mjs";

const http = createServer();
const io = new Server(http, { transports: ["websocket"], perMessageDeflate: false, httpCompression: false, serveClient: false });
const subscribers = [], current = [];
const round = (x) => Math.round(x * 100) / 100;
const entity = (i) => ({ id: "ent_" + i, pos: [round(at[i][0]), round(at[i][1]), round(at[i][2])] });

io.on("connection", (socket) => {
  const s = { ...socket.handshake.auth, socket, changes: [] };
  socket.emit("snapshot", watch(s).map(entity));
  subscribers.push(s);
});
http.listen(port, "127.0.0.1", () => {
  console.log("READY");
  let n = 0;
  tick(() => {
    const t = stamp();
    step((i) => { current[i] = entity(i); }, (s, i, change) => s.changes.push(change === "out" ? { id: "ent_" + i, gone: true } : current[i]));
    n++;
    for (const s of subscribers) {
      s.socket.emit("delta", { tick: n, t, changes: s.changes });
      s.changes = [];
    }
  });
});
