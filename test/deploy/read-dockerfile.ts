/** One instruction of a Dockerfile. */
export interface DockerInstruction {
  /** The name in capitals: `FROM`, `RUN`, ... */
  readonly name: string;
  /** The rest, with continued lines joined by a space. */
  readonly text: string;
}

/** Parses the instructions of a Dockerfile, without comments (Dockerfile reference, "Format"). */
export function readDockerfile(text: string): readonly DockerInstruction[] {
  const lines = text.split('\n').filter((line) => !/^\s*#/.test(line));
  const joined = lines.join('\n').replaceAll(/\s*\\\n\s*/g, ' ');
  return Array.from(joined.matchAll(/^([A-Z]+) +(.+)$/gm), ([, name = '', rest = '']) => ({
    name,
    text: rest.trim(),
  }));
}

/** Splits a Dockerfile into stages. Each starts with its `FROM`. */
export function stagesOf(
  instructions: readonly DockerInstruction[],
): readonly (readonly DockerInstruction[])[] {
  const starts = instructions.flatMap(({ name }, at) => (name === 'FROM' ? [at] : []));
  return starts.map((start, at) => instructions.slice(start, starts[at + 1]));
}
