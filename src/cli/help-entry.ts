/** Width the texts are wrapped to, columns. */
const WIDTH = 100;

/** Column at which what is explained begins. */
const TEXT_AT = 30;

/** A head and what it means, which begins below a head that is too long. */
export function entry(head: string, text: string): string {
  const lines = wrap(text, WIDTH - TEXT_AT);
  const first = `  ${head}`;
  const indented = lines.map((line) => `${' '.repeat(TEXT_AT)}${line}`);
  if (first.length > TEXT_AT - 2) return [first, ...indented].join('\n');
  return [first.padEnd(TEXT_AT) + lines[0], ...indented.slice(1)].join('\n');
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1) as string;
    if (line !== '' && line.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines;
}
