import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { type } from './testing/typed.ts';
import { flagsOf, VERBS } from './verb-table.ts';

describe('completions', () => {
  it.each(['bash', 'zsh', 'fish'])(
    'for %s contain every command, and every option of each',
    async (shell) => {
      const { code, stdout } = await type(['completions', shell]);
      expect(code).toBe(0);
      for (const [name, verb] of Object.entries(VERBS)) {
        const lines = stdout
          .split('\n')
          .filter((line) => line.includes(name))
          .join('\n');
        for (const [flag] of flagsOf(verb)) expect(lines, `${name} ${flag}`).toContain(flag);
      }
    },
  );

  it('have valid bash syntax (needs bash)', async () => {
    const { stdout } = await type(['completions', 'bash']);
    const complete = `${stdout}\nCOMP_WORDS=(spp bal); COMP_CWORD=1; _spl_private_payments; echo "\${COMPREPLY[@]}"`;
    const { stdout: completed, stderr } = spawnSync('bash', ['-c', complete], { encoding: 'utf8' });
    expect({ completed, stderr }).toEqual({ completed: 'balance\n', stderr: '' });
  });

  it('list the supported shells', async () => {
    expect(await type(['completions', 'tcsh'])).toEqual({
      code: 78,
      stdout: '',
      stderr: 'completions needs bash, zsh or fish (CONFIG_INVALID)\n',
    });
  });
});
