// The TypeScript SDK (1.x) over stdio with one typed tool, for measuring.
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { z } from "zod";
let next = 0;
const s = new McpServer({ name: "bench", version: "1" });
s.registerTool("scene.createEntity", {
  description: "Add a box or a sphere.",
  inputSchema: {
    shape: z.enum(["box", "sphere"]), size: z.number().positive().max(50),
    color: z.number().int().min(0).max(0xffffff), position: z.tuple([z.number(), z.number(), z.number()]),
    dynamic: z.boolean(), material: z.string().optional(),
  },
  outputSchema: { entity: z.string() },
}, () => {
  const out = { entity: "ent_" + ++next };
  return { content: [{ type: "text", text: JSON.stringify(out) }], structuredContent: out };
});
await s.connect(new StdioServerTransport());
