import { expect, it } from 'vitest';
import { readShellBlocks } from './shell-blocks.ts';

const MARKDOWN = `# Title

\`\`\`sh
echo 1
echo 2
\`\`\`

It prints:

\`\`\`
1
2
\`\`\`

\`\`\`sh
cd /
\`\`\`

\`\`\`json
{}
\`\`\`

\`\`\`
no output of a command
\`\`\`
`;

it('readShellBlocks returns each shell block with the output block that follows it', () => {
  expect(readShellBlocks(MARKDOWN)).toEqual([
    { line: 3, commands: 'echo 1\necho 2\n', shown: '1\n2\n' },
    { line: 15, commands: 'cd /\n', shown: null },
  ]);
});
