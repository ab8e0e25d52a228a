// compare.mjs FOLDER SEED PAIRS PROGRAM IMAGE - random arguments, judged by ajv and by the generated readers
//
// Each pair of a schema and a JSON text goes to ajv and, as a tools/call, to PROGRAM. They must agree whether it
// fits; where it does, the handler must have got the values. Prints the first disagreements; the last line is
// "N passed, N failed".
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { isDeepStrictEqual } from "node:util";
import Ajv from "ajv/dist/2020.js";
import { Random, goodValue, spell, spoiled } from "./random.mjs";

const [folder, seed, pairs, program, image] = process.argv.slice(2);
const AHEAD = 2000; // requests under way
const SHOWN = 10;
const r = new Random(Number(seed) ^ 0x5eed);
const ajv = new Ajv({ strict: false, multipleOfPrecision: 6 });
const schemas = JSON.parse(readFileSync(`${folder}/schemas.json`, "utf8"));
const validators = schemas.map((schema) => ajv.compile(schema));

// ---- What a handler must have got ----

const hex = (text) => Buffer.from(text.toWellFormed()).toString("hex");

function matches(schema, value, got) {
    switch (schema.type) {
    case "integer": return got === value;
    case "number":
        if (schema.multipleOf) {
            return got === Math.round(value / schema.multipleOf);
        }
        return got === (schema["x-skillrom"] === "float" ? Math.fround(value) : value) || (got === 0 && value === 0);
    case "boolean": return got === value;
    case "string": {
        const list = schema.enum ?? (schema.const !== undefined ? [schema.const] : null);
        return list ? got === list.indexOf(value) : got.s === hex(value);
    }
    case "array": return got.length === value.length && value.every((v, i) => matches(schema.items, v, got[i]));
    case "object": return matchesObject(schema, value, got);
    default: return isDeepStrictEqual(JSON.parse(Buffer.from(got.r, "hex").toString()), value);
    }
}

function matchesObject(schema, value, got) {
    const expected = Object.entries(schema.properties ?? {}).flatMap(([name, member], i) => {
        const there = Object.hasOwn(value, name);
        return there || member.default !== undefined ? [[i, member, there ? value[name] : member.default]] : [];
    });
    return got.length === expected.length && expected.every(([i, member, v], k) => got[k][0] === i && matches(member, v, got[k][1]));
}

// ---- Pairs ----

// Is there a number so large that ajv divides it inexactly, or that 64 bits do not hold? Such pairs prove nothing;
// tests/unit/test_args.c has them.
function isBeyondDoubles(schema, value) {
    if (typeof value === "number") {
        return (schema.type === "integer" && Math.abs(value) > 1e15) || (schema.multipleOf && Math.abs(value / schema.multipleOf) > 1e9);
    }
    if (schema.type === "array" && Array.isArray(value)) {
        return value.some((v) => isBeyondDoubles(schema.items, v));
    }
    return value !== null && typeof value === "object" && Object.entries(value).some(
        ([name, v]) => schema.properties?.[name] && isBeyondDoubles(schema.properties[name], v));
}

function makePair() {
    const tool = r.below(schemas.length);
    let value = goodValue(r, schemas[tool]);
    for (let i = r.pick([0, 0, 1, 1, 2]); i > 0; i--) {
        value = spoiled(r, value, schemas[tool]);
    }
    if (value === null || typeof value !== "object" || Array.isArray(value)) {
        value = { line: value }; // arguments are always an object
    }
    const text = spell(r, value), parsed = JSON.parse(text);
    if (isBeyondDoubles(schemas[tool], parsed)) {
        return makePair();
    }
    const fits = validators[tool](parsed);
    return { tool, text, parsed, fits, errors: validators[tool].errors };
}

// null, or what is wrong with the response.
function judge(pair, result) {
    if (result === undefined) {
        return "no result";
    }
    const said = result.content[0].text;
    if (result.isError === true) {
        return pair.fits ? `refused: ${said}` : / (must|is|has) /.test(said) ? null : `refused without a reason: ${said}`;
    }
    if (!pair.fits) {
        return "accepted";
    }
    return matches(schemas[pair.tool], pair.parsed, JSON.parse(said)) ? null : `the handler got ${said}`;
}

// ---- Talking ----

const server = spawn(program, [image, "--stdio"], { stdio: ["pipe", "pipe", "inherit"] });
const counts = { fit: 0, not: 0, failed: 0 };
const waiting = new Map();
let sent = 0;

const sendRequest = (id, method, params) => server.stdin.write(`{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${params}}\n`);

function fill() {
    while (waiting.size < AHEAD && sent < Number(pairs)) {
        const pair = makePair();
        sent++;
        waiting.set(sent, pair);
        sendRequest(sent, "tools/call", `{"name":"t${pair.tool}","arguments":${pair.text}}`);
    }
    if (waiting.size === 0) {
        server.stdin.end();
    }
}

sendRequest(0, "initialize", JSON.stringify({ protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "args", version: "1" } }));
for await (const line of createInterface({ input: server.stdout })) {
    const response = JSON.parse(line), pair = waiting.get(response.id);
    if (pair) {
        const wrong = judge(pair, response.result);
        waiting.delete(response.id);
        counts[pair.fits ? "fit" : "not"]++;
        if (wrong !== null && counts.failed++ < SHOWN) {
            console.log(`seed ${seed}: ajv says it ${pair.fits ? "fits" : "does not fit"}, skillrom: ${wrong}`);
            console.log(`  schema    ${JSON.stringify(schemas[pair.tool])}\n  arguments ${pair.text}`);
            console.log(pair.fits ? "" : `  ajv       ${ajv.errorsText(pair.errors)}`);
        }
    }
    fill();
}
const done = counts.fit + counts.not;
if (done < Number(pairs)) {
    counts.failed++;
    console.log(`the server ended after ${done} of ${pairs} pairs`);
}
console.log(`${done} pairs of ${schemas.length} schemas: ${counts.fit} fit, ${counts.not} do not`);
console.log(`${done - counts.failed} passed, ${counts.failed} failed`);
process.exitCode = counts.failed > 0 ? 1 : 0;
