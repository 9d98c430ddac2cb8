// Builds the page: everything in one file, which is written to where the argument says.
import { build } from "esbuild";
import { readFile, writeFile } from "node:fs/promises";

const { outputFiles } = await build({
  entryPoints: [new URL("src/main.js", import.meta.url).pathname],
  bundle: true, minify: true, format: "esm", target: "es2022", charset: "utf8", legalComments: "inline", write: false,
});
const script = outputFiles[0].text.trim().replaceAll("</script", "<\\/script");
const page = await readFile(new URL("page.html", import.meta.url), "utf8");
await writeFile(process.argv[2], page.replace("/*SCRIPT*/", () => script));
