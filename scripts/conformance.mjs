// Sums up the folders that runs of the MCP conformance suite have written, as a table of Markdown, and
// fails if any check has: conformance.mjs OUT [-v].
import { readdirSync, readFileSync, existsSync } from "node:fs";
import { join } from "node:path";

const [out, verbose] = process.argv.slice(2);
const runs = ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26"];
const rows = new Map(); // by scenario: by run, the checks
for (const folder of readdirSync(out)) {
  const run = runs.includes(folder) ? folder : "2026-07-28";
  for (const name of readdirSync(join(out, folder))) {
    const file = join(out, folder, name, "checks.json");
    const scenario = name.replace(/^server-/, "").replace(/-\d{4}-\d{2}-\d{2}T.*$/, "");
    if (!existsSync(file)) continue;
    if (!rows.has(scenario)) rows.set(scenario, new Map());
    rows.get(scenario).set(run, JSON.parse(readFileSync(file)));
  }
}

const count = (checks, status) => checks.filter(c => c.status === status).length;
const cell = checks => {
  if (!checks) return "–";
  const [w, s] = [count(checks, "WARNING"), count(checks, "SKIPPED")];
  return `${count(checks, "SUCCESS")}/${count(checks, "FAILURE")}` + (w ? ` w${w}` : "") + (s ? ` s${s}` : "");
};
console.log(`| scenario | ${runs.join(" | ")} |\n| --- |${" --- |".repeat(runs.length)}`);
for (const [scenario, byRun] of [...rows].sort()) {
  console.log(`| ${scenario} | ${runs.map(r => cell(byRun.get(r))).join(" | ")} |`);
}
const all = runs.map(r => [...rows.values()].flatMap(byRun => byRun.get(r) ?? []));
console.log(`| **sum** | ${all.map(cell).map(c => `**${c}**`).join(" | ")} |`);

const bad = ["FAILURE", ...(verbose ? ["WARNING", "SKIPPED"] : [])];
for (const [scenario, byRun] of [...rows].sort()) {
  for (const [run, checks] of byRun) {
    for (const c of checks.filter(c => bad.includes(c.status))) {
      console.log(`${c.status} ${run} ${scenario} ${c.id}: ${c.errorMessage ?? c.description}`);
      if (verbose && c.details) console.log("   ", JSON.stringify(c.details).slice(0, 1500));
    }
  }
}
const empty = runs.filter((_, i) => all[i].length === 0);
if (empty.length) console.log("nothing was run at", empty.join(", "));
process.exit(all.some(checks => count(checks, "FAILURE")) || empty.length ? 1 : 0);
