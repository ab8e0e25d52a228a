// random.mjs - numbers, schemas and JSON texts that look random and are the same for the same seed
//
// Schemas have only what `skillrom pack` takes. Values are made to fit their schema, then most of them are
// spoiled in one place, so that both verdicts are common. Numbers have at most 15 digits: what they are is
// then also beyond doubt in JavaScript.

export class Random {
    constructor(seed) {
        this.state = seed >>> 0;
    }
    next() { // mulberry32
        this.state = (this.state + 0x6d2b79f5) >>> 0;
        let t = this.state;
        t = Math.imul(t ^ (t >>> 15), t | 1);
        t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
        return (t ^ (t >>> 14)) >>> 0;
    }
    below(n) {
        return Math.floor((this.next() / 4294967296) * n);
    }
    between(a, b) {
        return a + this.below(b - a + 1);
    }
    chance(percent) {
        return this.below(100) < percent;
    }
    pick(list) {
        return list[this.below(list.length)];
    }
}

// ---- Schemas ----

const NAMES = ["line", "ml", "volume_ul", "new-tube", "a b", "ä", "int", "default", "x", "Line", "rate", "mode", "note",
    "steps", "x.y", "$ref", "with \"quotes\"", "back\\slash", "tab\there", "0", "has", "count", "item", "😀"];
const WORDS = ["fast", "slow", "off", "", "a b", "é", "x\"y", "\\", "very long value of an enum that goes on", "FAST2",
    "\u0001", "日本", "😀😀", "e-mail", "null", "0", "true"];

const identifier = (name) => (/^([0-9]|$)/.test(name) ? "_" : "") + [...Buffer.from(name)].map((c) =>
    /[A-Za-z0-9]/.test(String.fromCharCode(c)) && c < 128 ? String.fromCharCode(c) : "_").join("");

function distinct(r, list, count, key) {
    const found = [], seen = new Set();
    for (let i = 0; i < 50 && found.length < count; i++) {
        const value = r.pick(list);
        if (!seen.has(key(value))) {
            seen.add(key(value));
            found.push(value);
        }
    }
    return found;
}

const decimal = (digits, decimals) => Number((digits / 10 ** decimals).toPrecision(15));

function limits(r, schema, digits, decimals) {
    const narrow = schema.type === "integer" && decimals > 0 ? 20 : 0; // room for a whole number
    const a = r.between(-digits, digits), b = a + narrow + r.below(r.pick([1, 3, 10, 2 * digits]) + 1);
    if (r.chance(60)) {
        schema[r.chance(75) ? "minimum" : "exclusiveMinimum"] = decimal(a - 1, decimals);
    }
    if (r.chance(60)) {
        schema[r.chance(75) ? "maximum" : "exclusiveMaximum"] = decimal(b + 1, decimals);
    }
    if (r.chance(5) && schema.minimum !== undefined) {
        schema.exclusiveMinimum = schema.minimum;
    }
    return schema;
}

const isWithin = (schema, value) => value >= (schema.minimum ?? -Infinity) && value <= (schema.maximum ?? Infinity) &&
    value > (schema.exclusiveMinimum ?? -Infinity) && value < (schema.exclusiveMaximum ?? Infinity) &&
    (schema.type !== "integer" || Number.isInteger(value));

function numberSchema(r) {
    switch (r.below(6)) {
    case 0:
    case 1: return limits(r, { type: "integer" }, r.pick([2, 10, 50000, 3e9, 9e14]), r.chance(10) ? 1 : 0);
    case 2: return { type: "integer", enum: distinct(r, [0, 1, -1, 9600, 19200, 115200, 4294967296, 7], r.between(1, 4), (v) => v) };
    case 3: return limits(r, { type: "number" }, r.pick([2, 1000, 123456789]), r.below(5));
    case 4: {
        const decimals = r.below(5);
        return limits(r, { type: "number", multipleOf: decimal(1, decimals) }, r.pick([10, 5000, 100000]), decimals);
    }
    default: return r.chance(50) ? { type: "number" } : { type: "number", "x-skillrom": "float", minimum: -1e6, maximum: 1e6 };
    }
}

function stringSchema(r) {
    if (r.chance(40)) {
        const words = distinct(r, WORDS, r.between(1, 5), (w) => identifier(w === "" ? "empty" : w).toUpperCase());
        return words.length === 1 && r.chance(50) ? { type: "string", const: words[0] } : { type: "string", enum: words };
    }
    const schema = { type: "string" }, least = r.below(4);
    if (r.chance(40)) {
        schema.minLength = least;
    }
    if (r.chance(60)) {
        schema.maxLength = least + r.below(6);
    }
    return schema;
}

function objectSchema(r, depth) {
    const schema = { type: "object" };
    const names = distinct(r, NAMES, r.below(depth === 1 ? 7 : 4), identifier).filter(
        (name, i, all) => !all.some((other) => identifier(name) === `has_${identifier(other)}`));
    if (names.length > 0 || r.chance(50)) {
        schema.properties = Object.fromEntries(names.map((name) => [name, valueSchema(r, depth + 1)]));
        const required = names.filter(() => r.chance(40));
        if (required.length > 0 || r.chance(10)) {
            schema.required = required;
        }
    }
    if (r.chance(60)) {
        schema.additionalProperties = r.chance(20);
    }
    return schema;
}

function arraySchema(r, depth) {
    const schema = { type: "array", items: valueSchema(r, depth + 1), maxItems: r.between(1, 4) };
    if (r.chance(40)) {
        schema.minItems = r.below(schema.maxItems + 1);
    }
    delete schema.items.default;
    return schema;
}

function valueSchema(r, depth) {
    const kind = r.below(depth > 5 ? 7 : 10);
    const schema = kind < 3 ? numberSchema(r) : kind < 5 ? stringSchema(r) : kind < 6 ? { type: "boolean" } :
        kind < 7 ? (r.chance(20) ? { "x-skillrom": "raw", description: "anything" } : stringSchema(r)) :
        kind < 9 ? objectSchema(r, depth) : arraySchema(r, depth);
    if (["integer", "number", "string", "boolean"].includes(schema.type) && r.chance(15)) {
        const value = goodValue(r, schema);
        if (typeof value !== "number" || isWithin(schema, value)) {
            schema.default = value;
        }
    }
    return schema;
}

export const toolSchema = (r) => objectSchema(r, 1);

// ---- Values ----

const TEXT = ["a", "b", "Z", " ", "é", "日", "😀", "\"", "\\", "/", "\n", "\t", "\u0000", "\u0001", "\u007f", "\u2028"];

function text(r, length) {
    return Array.from({ length }, () => r.pick(TEXT)).join("");
}

function goodNumber(r, schema) {
    if (schema.enum) {
        return r.pick(schema.enum);
    }
    const decimals = schema.multipleOf ? Math.round(-Math.log10(schema.multipleOf)) : schema.type === "integer" ? 0 : r.below(4);
    const least = schema.minimum ?? schema.exclusiveMinimum, most = schema.maximum ?? schema.exclusiveMaximum;
    const from = least ?? (most ?? 0) - r.pick([1, 10, 1e6]), to = most ?? from + r.pick([1, 10, 1e6]);
    const unit = 10 ** decimals;
    const value = decimal(Math.round((from + ((to - from) * r.below(1001)) / 1000) * unit), decimals);
    return r.chance(30) ? r.pick([least, most, value].filter((v) => v !== undefined)) : value;
}

export function goodValue(r, schema) {
    switch (schema.type) {
    case "integer":
    case "number": return goodNumber(r, schema);
    case "boolean": return r.chance(50);
    case "string":
        if (schema.const !== undefined || schema.enum) {
            return schema.const ?? r.pick(schema.enum);
        }
        return text(r, r.between(schema.minLength ?? 0, schema.maxLength ?? (schema.minLength ?? 0) + 5));
    case "array": return Array.from({ length: r.between(schema.minItems ?? 0, schema.maxItems) }, () => goodValue(r, schema.items));
    case "object": {
        const object = {};
        for (const [name, member] of Object.entries(schema.properties ?? {})) {
            if (schema.required?.includes(name) || r.chance(60)) {
                object[name] = goodValue(r, member);
            }
        }
        if (schema.additionalProperties !== false && r.chance(20)) {
            object[r.pick(["more", "line2", "Ä"])] = anyValue(r, 2);
        }
        return shuffled(r, object);
    }
    default: return anyValue(r, 3);
    }
}

function shuffled(r, object) {
    const entries = Object.entries(object);
    for (let i = entries.length - 1; i > 0; i--) {
        const k = r.below(i + 1);
        [entries[i], entries[k]] = [entries[k], entries[i]];
    }
    return Object.fromEntries(entries);
}

function anyValue(r, depth) {
    switch (r.below(depth > 0 ? 9 : 7)) {
    case 0: return null;
    case 1: return r.chance(50);
    case 2: return r.between(-5, 5);
    case 3: return decimal(r.between(-99999, 99999), r.below(5));
    case 4: return r.pick(WORDS);
    case 5: return text(r, r.below(8));
    case 6: return r.pick([0, -0, 1e15, -1e15, 4294967295, 2147483648, -2147483649, 0.001, 0.1, 1e21, 12345678901]);
    case 7: return Array.from({ length: r.below(4) }, () => anyValue(r, depth - 1));
    default: return Object.fromEntries(Array.from({ length: r.below(3) }, () => [r.pick(NAMES), anyValue(r, depth - 1)]));
    }
}

// Changes one place somewhere inside.
export function spoiled(r, value, schema) {
    if (schema.type === "object" && value !== null && typeof value === "object" && r.chance(85)) {
        const names = Object.keys(value), object = { ...value };
        switch (r.below(names.length > 0 ? 5 : 1)) {
        case 0: object[r.pick(NAMES)] = anyValue(r, 2); break;
        case 1: delete object[r.pick(names)]; break;
        default: {
            const name = r.pick(names);
            object[name] = spoiled(r, value[name], schema.properties?.[name] ?? {});
        }
        }
        return object;
    }
    if (schema.type === "array" && Array.isArray(value) && r.chance(85)) {
        const array = [...value], at = r.below(array.length + 1);
        switch (r.below(4)) {
        case 0: array.splice(at, 0, goodValue(r, schema.items)); break;
        case 1: array.splice(at, 1); break;
        default:
            if (at < array.length) {
                array[at] = spoiled(r, array[at], schema.items);
            }
        }
        return array;
    }
    if (typeof value === "number" && r.chance(80)) {
        return r.pick([value + 1, value - 1, -value, value * 10, decimal(Math.round(value * 1e4) + 1, 4), value + 0.5,
            value / 10]);
    }
    if (typeof value === "string" && r.chance(80)) {
        return r.pick([value + r.pick(TEXT), value.slice(1), value + text(r, 5), value.toUpperCase(), "\ud83d" + value]);
    }
    return anyValue(r, 2);
}

// ---- Texts ----

const blank = (r) => (r.chance(5) ? r.pick([" ", "\t", "  "]) : "");

function spellString(r, value) {
    let out = "\"";
    for (let i = 0; i < value.length; i++) {
        const c = value[i], code = value.charCodeAt(i), half = code >= 0xd800 && code < 0xe000;
        const escape = "\\u" + code.toString(16).padStart(4, "0");
        const short = { "\"": "\\\"", "\\": "\\\\", "\n": "\\n", "\t": "\\t", "/": "\\/" }[c];
        if (half && code < 0xdc00 && !r.chance(20) && value.codePointAt(i) > 0xffff) {
            out += String.fromCodePoint(value.codePointAt(i));
            i++;
        } else if (half || code < 0x20 || c === "\"" || c === "\\") {
            out += short && r.chance(80) ? short : escape;
        } else if (r.chance(5)) {
            out += r.chance(50) ? escape : escape.replace(/[a-f]/g, (h) => h.toUpperCase());
        } else {
            out += short && r.chance(20) ? short : c;
        }
    }
    return out + "\"";
}

// The same number, spelled in another way.
function spellNumber(r, exact) {
    const value = Number(exact.toPrecision(14));
    const plain = Object.is(value, -0) ? "-0" : String(value);
    if (value === 0 || !r.chance(25)) {
        return value === 0 ? r.pick([plain, "-0", "0.00", "0e5", "-0E-3"]) : plain;
    }
    if (!plain.includes("e")) {
        const [whole, fraction] = plain.split(".");
        const zeros = "0".repeat(r.below(3));
        switch (r.below(4)) {
        case 0: return fraction === undefined ? `${whole}.0${zeros}` : plain + zeros;
        case 1: return `${plain}${r.pick(["e", "E"])}${r.pick(["", "+", "-"])}0${zeros}`;
        case 2: return fraction === undefined ? `${whole}0${zeros}e-${1 + zeros.length}` : `${whole}${fraction}e-${fraction.length}`
            .replace(/^(-?)0+(?=\d)/, "$1");
        default: {
            const power = r.below(6);
            const parts = Math.abs(value).toExponential().split("e");
            const digits = parts[0].replace(".", ""), exponent = Number(parts[1]);
            return `${value < 0 ? "-" : ""}0.${"0".repeat(power)}${digits}E${exponent + 1 + power}`;
        }
        }
    }
    return plain;
}

export function spell(r, value) {
    const join = (list, open, close) => open + blank(r) + list.join(`${blank(r)},${blank(r)}`) + blank(r) + close;
    if (typeof value === "number") {
        return spellNumber(r, value);
    }
    if (typeof value === "string") {
        return spellString(r, value);
    }
    if (Array.isArray(value)) {
        return join(value.map((v) => spell(r, v)), "[", "]");
    }
    if (value !== null && typeof value === "object") {
        return join(Object.entries(value).map(([k, v]) => `${spellString(r, k)}${blank(r)}:${blank(r)}${spell(r, v)}`), "{", "}");
    }
    return String(value);
}
