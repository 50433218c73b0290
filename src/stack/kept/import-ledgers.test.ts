import { createHash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { LandedMessages } from '../../ledger/portable/landed-messages.ts';
import { LedgerDatabase } from '../../ledger/store/ledger-database.ts';
import { openLedgerFolder } from '../../ledger/store/ledger-folder.ts';
import type { LedgerIdentity } from '../../ledger/store/store.ts';
import { temporaryFolder } from '../../ledger/testing/temporary-folder.ts';
import { Blockhashes } from '../../ledger/time/blockhashes.ts';
import { silentLogger } from '../../ports/logger.ts';
import { systemRandom } from '../../ports/random.ts';
import { ROLLUP_BLOCKHASH_AGE_MAX } from '../../rollup/blockhash-age.ts';
import { headerEntry } from '../../rollup/books/header.ts';
import { encodeBase58 } from '../../solana/base58.ts';
import { checkStore } from './check-store.ts';
import { exportLedgers } from './export-ledgers.ts';
import { importLedgers } from './import-ledgers.ts';
import { openKeptLedgers } from './kept-ledgers.ts';
import { beginLedger, landTransfers, SLOT_CEILING, TIME_ANCHOR } from './testing/land-transfers.ts';
import { verifyLedgers } from './verify-ledgers.ts';

const logger = silentLogger;
const untold = (): void => undefined;

async function exportOf(folder: string): Promise<string> {
  const kept = await openKeptLedgers(folder, logger);
  const lines: string[] = [];
  try {
    await exportLedgers(kept, (line) => void lines.push(line), untold);
  } finally {
    await kept.close();
  }
  return lines.join('');
}

async function importInto(folder: string, text: string): Promise<void> {
  async function* chunks() {
    yield Buffer.from(text);
  }
  await importLedgers(chunks(), { folder, logger, random: systemRandom }, untold);
}

async function opened(folder: string) {
  const kept = await openKeptLedgers(folder, logger);
  onTestFinished(() => kept.close());
  return kept;
}

/** A folder with a base ledger of these transactions. */
async function baseFolder(folder: string, count: number): Promise<LedgerIdentity> {
  const store = openLedgerFolder(folder, { logger });
  const identity = await beginLedger(store);
  await landTransfers(store, { fromSlot: 1, count });
  await store.close();
  return identity;
}

describe('an import', () => {
  it('refuses the messages that the first ledger does, also of transactions that were forgotten', async () => {
    const folder = temporaryFolder();
    const [first, copy] = [join(folder, 'first'), join(folder, 'copy')];
    const { genesisHash } = await baseFolder(first, 1);
    const store = openLedgerFolder(join(first, 'rollup'), { logger, transactionsMax: 100 });
    const { blockhashSeed } = await beginLedger(store);
    await store.commit({ accounts: [headerEntry(genesisHash)], slotCeiling: SLOT_CEILING });
    const hashes = new Blockhashes(blockhashSeed, SLOT_CEILING, ROLLUP_BLOCKHASH_AGE_MAX);
    const known = new LandedMessages({
      blockhashSeed,
      timeAnchors: [TIME_ANCHOR],
      slotCeiling: SLOT_CEILING,
      blockhashAgeMax: ROLLUP_BLOCKHASH_AGE_MAX,
    });
    const landed = await landTransfers(store, {
      fromSlot: 2_600,
      count: 300,
      blockhashOf: (slot) => hashes.at(slot),
      messageOf: (wire) => known.of(wire),
    });
    await store.close();
    await importInto(copy, await exportOf(first));
    const [old, now] = [await opened(first), await opened(copy)];
    const refused = [old, now].map(({ rollup }) => landed.filter((each) => rollup?.store.hasMessage(each)));
    expect(refused.map(({ length }) => length)).toEqual([300, 300]);
    if (old.rollup === null || now.rollup === null) throw new Error('both have a rollup');
    const { figures, damage } = await checkStore(now.rollup, untold);
    expect({ messages: figures.messages, damage }).toEqual({ messages: 300, damage: [] });
    expect(figures.forgotten).toBeGreaterThan(0);
    expect(figures).toEqual((await checkStore(old.rollup, untold)).figures);
  });

  it('fails where the database cannot be written, and leaves nothing', async () => {
    const folder = temporaryFolder();
    const first = join(folder, 'first');
    await baseFolder(first, 200);
    const text = await exportOf(first);
    const { take } = LedgerDatabase.prototype;
    let steps = 0;
    const failing = vi.spyOn(LedgerDatabase.prototype, 'take');
    onTestFinished(() => failing.mockRestore());
    failing.mockImplementation(function (this: LedgerDatabase, commits) {
      if (++steps === 2) return Promise.reject(new Error('no space left on device'));
      return take.call(this, commits);
    });
    await expect(importInto(join(folder, 'copy'), text)).rejects.toMatchObject({
      code: 'LEDGER_FOLDER_UNREADABLE',
      message: expect.stringContaining('no space left on device') as string,
    });
    expect(steps).toBe(2);
    expect(readdirSync(folder)).toEqual(['first']);
  });

  it('says where nothing more can be written at its very end (bug: an error of LMDB without words of ours)', async () => {
    const folder = temporaryFolder();
    const first = join(folder, 'first');
    await baseFolder(first, 3);
    const text = await exportOf(first);
    const full = Object.assign(new Error('No space left on device'), { code: constants.errno.ENOSPC });
    const failing = vi.spyOn(LedgerDatabase.prototype, 'noteForgotten').mockRejectedValue(full);
    onTestFinished(() => failing.mockRestore());
    const copy = join(folder, 'copy');
    const why = `The export cannot be written to ${copy}: No space left on device. Choose another folder, or see to it that this user may write there and that there is room`;
    await expect(importInto(copy, text)).rejects.toMatchObject({
      code: 'LEDGER_FOLDER_UNREADABLE',
      message: why,
      context: { folder: copy },
    });
    expect(readdirSync(folder)).toEqual(['first']);
  });
});

describe('an import of rows that no ledger can have', () => {
  const hash = '11111111111111111111111111111112';
  const seed = Buffer.alloc(32, 1).toString('base64');
  const signature = Buffer.alloc(64, 7);
  const parts = [Buffer.of(1), signature, Buffer.of(1, 0, 0, 1), Buffer.alloc(64, 3), Buffer.of(0)];
  const head = {
    type: 'head',
    format: 'spl-private-payments-ledgers',
    version: 2,
    genesisHash: hash,
    programs: {},
    ledgers: ['base'],
  };
  const ledger = {
    type: 'ledger',
    name: 'base',
    genesisHash: hash,
    blockhashSeed: seed,
    faucetSeed: seed,
    identitySeed: seed,
    slotCeiling: 600,
    firstSlot: 0,
    recordCount: 1,
    timeAnchors: [TIME_ANCHOR],
  };
  const account = {
    type: 'account',
    address: hash,
    lamports: '1',
    owner: hash,
    executable: false,
    rentEpoch: '0',
    data: '',
  };
  const record = {
    signature: encodeBase58(signature),
    slot: 550,
    index: 0,
    blockTime: 1,
    err: null,
    fee: '5000',
    wire: Buffer.concat(parts).toString('base64'),
    preBalances: [],
    postBalances: [],
    preTokenBalances: [],
    postTokenBalances: [],
    innerInstructions: [],
    logs: [],
    loadedAddresses: { writable: [], readonly: [] },
    returnData: null,
    computeUnits: 0,
    loadedAccountsDataSize: 0,
  };
  const landed = (change: object = {}) => ({ type: 'transaction', record: { ...record, ...change } });

  const asText = (rows: readonly object[]): string => {
    const text = rows.map((row) => `${JSON.stringify(row)}\n`).join('');
    const sha256 = createHash('sha256').update(text).digest('hex');
    return `${text}${JSON.stringify({ type: 'end', lines: rows.length, sha256 })}\n`;
  };

  it('takes them where all of them are sound', async () => {
    const folder = join(temporaryFolder(), 'copy');
    await importInto(folder, asText([head, ledger, account, landed()]));
    expect((await checkStore((await opened(folder)).base, untold)).damage).toEqual([]);
  });

  it.each<readonly [string, readonly object[], string]>([
    ['no ledgers', [{ ...head, ledgers: [] }], 'line 1: ledgers must be base, or base and rollup'],
    ['no base', [{ ...head, ledgers: ['rollup'] }], 'line 1: ledgers must be base, or base and rollup'],
    ['a short seed', [head, { ...ledger, identitySeed: 'AAAA' }], 'line 2: identitySeed must be 32 bytes'],
    ['no time anchor', [head, { ...ledger, timeAnchors: [] }], 'line 2: timeAnchors must have one at least'],
    ['much', [head, ledger, { ...account, lamports: '18446744073709551616' }], 'line 3: lamports must be at'],
    ['a short signature', [head, ledger, landed({ signature: hash })], 'line 3: record.signature must be'],
    ['too high', [head, { ...ledger, slotCeiling: 1 }, landed()], 'line 3: record.slot is above slotCeiling'],
    ['a short wire', [head, ledger, landed({ wire: 'AAAA' })], 'line 3: record.wire is no transaction'],
    ['the wrong order', [head, ledger, landed(), landed()], 'line 4: record is not behind the one'],
    ['too few', [head, ledger], 'line 3: 0 transactions stand before it, of a recordCount of 1'],
  ])('refuses %s, naming the line', async (_, rows, fault) => {
    const folder = temporaryFolder();
    await expect(importInto(join(folder, 'copy'), asText(rows))).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringContaining(fault) as string,
    });
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('a data folder whose rollup had not begun', () => {
  it('is exported, and found sound', async () => {
    const folder = temporaryFolder();
    const first = join(folder, 'first');
    await baseFolder(first, 1);
    await openLedgerFolder(join(first, 'rollup'), { logger }).close();
    expect(await exportOf(first)).toContain('"ledgers":["base"]');
    const found = await verifyLedgers(await opened(first), untold);
    expect(found).toMatchObject({ isSound: true, damage: [] });
    expect(existsSync(join(first, 'rollup'))).toBe(true);
  });
});
