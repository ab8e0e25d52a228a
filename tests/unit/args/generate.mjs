// generate.mjs FOLDER SEED COUNT - a device folder with COUNT random tools, and handlers that show their arguments
import { mkdirSync, writeFileSync } from "node:fs";
import { Random, toolSchema } from "./random.mjs";

const [folder, seed, count] = process.argv.slice(2);
const r = new Random(Number(seed));
const write = (path, text) => writeFileSync(`${folder}/${path}`, text);

mkdirSync(`${folder}/device/tools`, { recursive: true });
mkdirSync(`${folder}/device/skills/none`, { recursive: true });
write("device/device.json", JSON.stringify({ name: "args", version: "1", panel: false, resources: [] }));
write("device/skills/none/SKILL.md", "---\nname: none\ndescription: Says nothing. Use it never.\n---\nNothing.\n");

const schemas = [];
let handlers = "#define SKR_TOOLS_TABLE\n#include \"tools.h\"\n\n#include \"posix.h\"\n#include \"show.h\"\n\n";
for (let i = 0; i < Number(count); i++) {
    const schema = toolSchema(r), name = `t${i}`;
    schemas.push(schema);
    write(`device/tools/${name}.json`, JSON.stringify({ name, description: "Shows its arguments.", inputSchema: schema }, null, 1));
    handlers += `int tool_${name}(struct skr_call *call, const struct tool_${name}_args *args)\n{\n` +
        `    return show(call, &skr_shape_tool_${name}_args, args);\n}\n\n`;
}
handlers += "static const struct skr_device device = {.tools = skr_tools, .tool_count = SKR_TOOL_COUNT};\n\n" +
    "int main(int argc, char **argv)\n{\n    return skr_posix_main(&device, argc, argv);\n}\n";
write("schemas.json", JSON.stringify(schemas));
write("handlers.c", handlers);
