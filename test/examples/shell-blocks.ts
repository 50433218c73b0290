/** A shell block of a Markdown text with its shown output. */
interface ShellBlock {
  /** First line of the block in the text, from 1. */
  readonly line: number;
  readonly commands: string;
  /** The next block if it has no language. */
  readonly shown: string | null;
}

const BLOCK = /^```(?<language>[^\n]*)\n(?<body>[\s\S]*?)^```$/gm;

/** Returns the `sh` blocks of a Markdown text, in order. */
export function readShellBlocks(markdown: string): readonly ShellBlock[] {
  const blocks = [...markdown.matchAll(BLOCK)].map(({ index, groups }) => ({
    line: markdown.slice(0, index).split('\n').length,
    language: groups?.['language'],
    body: groups?.['body'] ?? '',
  }));
  return blocks.flatMap(({ line, language, body }, i) => {
    const next = blocks[i + 1];
    return language === 'sh'
      ? [{ line, commands: body, shown: next?.language === '' ? next.body : null }]
      : [];
  });
}
