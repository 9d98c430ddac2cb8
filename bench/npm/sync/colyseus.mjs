// Colyseus: the entities as state of a room, a StateView for each client, and patches sent by hand
// right after the changes. That is its best case: by itself it sends every 50 ms.
import { Server, Room } from "@colyseus/core";
import { Encoder, StateView, schema, t } from "@colyseus/schema";
import { WebSocketTransport } from "@colyseus/ws-transport";
import { at, port, stamp, step, tick, watch } from "./world.mjs";

Encoder.BUFFER_SIZE = 1 << 20;
const Entity = schema({ x: t.float32(), y: t.float32(), z: t.float32() }, "Entity");
const State = schema({ stamp: t.string(), entities: t.map(Entity).view() }, "State");

class Bench extends Room {
  onCreate() {
    this.autoDispose = false;
    this.maxClients = 1e5;
    this.patchRate = null;
    this.state = new State();
    const entities = at.map((p, i) => {
      const e = new Entity();
      [e.x, e.y, e.z] = p;
      this.state.entities.set("ent_" + i, e);
      return e;
    });
    this.entities = entities;
    tick(() => {
      this.state.stamp = stamp();
      step((i) => { [entities[i].x, entities[i].y, entities[i].z] = at[i]; }, (s, i, change) => {
        if (change === "in") s.view.add(entities[i]);
        else if (change === "out") s.view.remove(entities[i]);
      });
      this.broadcastPatch();
    });
  }

  onJoin(client, area) {
    client.view = new StateView();
    for (const i of watch({ ...area, view: client.view })) client.view.add(this.entities[i]);
  }
}

const server = new Server({ transport: new WebSocketTransport({ pingInterval: 0 }), greet: false });
server.define("bench", Bench);
await server.listen(port, "127.0.0.1");
console.log("READY");
