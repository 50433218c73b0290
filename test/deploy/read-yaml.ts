/**
 * Reads the YAML that the files of `deploy` use: maps, lists, flow collections on one line, quoted and plain
 * scalars, `|` blocks, and `<<: *anchor`. Tests read these files without a YAML library.
 *
 * @throws Error for a line that it does not understand.
 */
export function readYaml(text: string): unknown {
  const reader = new Reader(text);
  const value = reader.block(0);
  if (!reader.isDone) throw new Error(`YAML: unexpected indentation at "${reader.rest}"`);
  return value;
}

/** Reads each document of a file. */
export const readYamlDocuments = (text: string): unknown[] => text.split(/^---$/m).map(readYaml);

type YamlMap = Record<string, unknown>;

interface Line {
  readonly indent: number;
  readonly text: string;
}

class Reader {
  readonly #lines: Line[];
  readonly #anchors = new Map<string, YamlMap>();

  constructor(text: string) {
    this.#lines = text
      .split('\n')
      .filter((line) => !/^\s*(?:#.*)?$/.test(line))
      .map((line) => ({ indent: line.search(/\S/), text: line.trim().replace(/\s+#.*$/, '') }));
  }

  get isDone(): boolean {
    return this.#lines.length === 0;
  }

  get rest(): string {
    return this.#lines[0]?.text ?? '';
  }

  /** Reads the map, list or scalar whose lines are indented by `indent`. */
  block(indent: number): unknown {
    if (this.#next(indent)?.text.startsWith('- ') === true) return this.#list(indent);
    if (/^[^\s'"[{][^:]*:(?: |$)/.test(this.#next(indent)?.text ?? '')) return this.#map(indent);
    const line = this.#lines.shift();
    if (line === undefined) throw new Error('YAML: a value is missing');
    return readScalar(line.text);
  }

  #next(indent: number): Line | undefined {
    const [line] = this.#lines;
    return line?.indent === indent ? line : undefined;
  }

  #list(indent: number): unknown[] {
    const items: unknown[] = [];
    while (this.#next(indent)?.text.startsWith('- ') === true) {
      const { text } = this.#lines[0] as Line;
      // The text after the dash is the first line of a block that is indented by two more.
      this.#lines[0] = { indent: indent + 2, text: text.slice(2) };
      items.push(this.block(indent + 2));
    }
    return items;
  }

  #map(indent: number): YamlMap {
    const map: YamlMap = {};
    for (let line = this.#next(indent); line !== undefined; line = this.#next(indent)) {
      const [, name = '', rest = ''] = /^([^:]+):(?: (.*))?$/.exec(line.text) ?? [];
      if (name === '') throw new Error(`YAML: no name in "${line.text}"`);
      this.#lines.shift();
      if (name === '<<') Object.assign(map, this.#anchors.get(rest.slice(1)));
      else if (Object.hasOwn(map, name)) throw new Error(`YAML: ${name} is repeated`);
      else map[name] = this.#value(indent, rest);
    }
    return map;
  }

  #value(indent: number, rest: string): unknown {
    if (rest === '|') return this.#textBlock(indent);
    if (rest !== '' && !rest.startsWith('&')) return readScalar(rest);
    const below = this.#lines[0]?.indent ?? 0;
    const isList = below === indent && this.rest.startsWith('- ');
    if (below <= indent && !isList) return null;
    const value = this.block(below);
    if (rest !== '') this.#anchors.set(rest.slice(1), value as YamlMap);
    return value;
  }

  #textBlock(indent: number): string {
    let text = '';
    while ((this.#lines[0]?.indent ?? 0) > indent) text += `${this.#lines.shift()?.text}\n`;
    return text;
  }
}

function readScalar(text: string): unknown {
  if (/^\[.*\]$/.test(text)) return splitFlow(text).map(readScalar);
  if (/^\{.*\}$/.test(text)) {
    const members = splitFlow(text).map((member) => member.split(/: (.*)/, 2));
    return Object.fromEntries(members.map(([name = '', value = '']) => [name, readScalar(value)]));
  }
  const [, quoted] = /^(?:"(.*)"|'.*')$/.exec(text) ?? [];
  if (quoted !== undefined) return quoted;
  if (/^'.*'$/.test(text)) return text.slice(1, -1);
  if (/^(?:true|false)$/.test(text)) return text === 'true';
  return /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : text;
}

/** Splits `[a, b]` or `{a: 1, b: 2}` at its commas. */
function splitFlow(text: string): string[] {
  const inner = text.slice(1, -1).trim();
  return inner === ''
    ? []
    : (inner.match(/(?:"[^"]*"|'[^']*'|\[[^\]]*\]|[^,])+/g) ?? []).map((item) => item.trim());
}
