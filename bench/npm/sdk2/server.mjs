// The TypeScript SDK (2.x) over stdio with one typed tool, for measuring.
import { McpServer } from "@modelcontextprotocol/server";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { z } from "zod";
let next = 0;
const s = new McpServer({ name: "bench", version: "1" });
s.registerTool("scene.createEntity", {
  description: "Add a box or a sphere.",
  inputSchema: z.object({
    shape: z.enum(["box", "sphere"]), size: z.number().positive().max(50),
    color: z.number().int().min(0).max(0xffffff), position: z.tuple([z.number(), z.number(), z.number()]),
    dynamic: z.boolean(), material: z.string().optional(),
  }),
  outputSchema: z.object({ entity: z.string() }),
}, () => {
  const out = { entity: "ent_" + ++next };
  return { content: [{ type: "text", text: JSON.stringify(out) }], structuredContent: out };
});
await s.connect(new StdioServerTransport());
