import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { openLedgerFolder } from '../../src/ledger/store/ledger-folder.ts';
import { temporaryFolder } from '../../src/ledger/testing/temporary-folder.ts';
import { assertProjectBuilt } from '../built.ts';

const FILLER = fileURLToPath(new URL('filler.mjs', import.meta.url));

/** 2 MiB in the blocks of 512 bytes that sh counts in. */
const FILE_BLOCKS_MAX = 4_096;

describe.skipIf(process.platform === 'win32')('a ledger whose file cannot grow', () => {
  it('reports it, still serves reads, and has everything it acknowledged after space is freed', async () => {
    assertProjectBuilt();
    const folder = temporaryFolder();
    // The system refuses to write behind the limit; by itself it would also end the process.
    const command = `trap '' XFSZ; ulimit -f ${FILE_BLOCKS_MAX}; exec "$0" "$1" "$2"`;
    const args = ['-c', command, process.execPath, FILLER, folder];
    const { stdout, status, stderr } = spawnSync('sh', args, { encoding: 'utf8' });
    expect(status, stderr).toBe(0);
    const told = JSON.parse(stdout) as Record<'acknowledged' | 'readable', number> & Record<string, string>;
    expect(told['code']).toBe('LEDGER_STOPPED');
    expect(told['message']).toContain(folder);
    expect(told.acknowledged).toBeGreaterThan(100);
    expect(told.readable).toBe(told.acknowledged);

    const store = openLedgerFolder(folder);
    expect([...store.accounts()]).toHaveLength(told.acknowledged);
    await store.commit({ slotCeiling: 9 });
    await store.close();
  });
});
