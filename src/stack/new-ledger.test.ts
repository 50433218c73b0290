import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { serveLedger } from '../chain/testing/ledger-upstream.ts';
import { readConfig } from '../config/config.ts';
import { mintAccount } from '../ledger/genesis/genesis.ts';
import { temporaryFolder } from '../ledger/testing/temporary-folder.ts';
import { openTestLedger } from '../ledger/testing/test-ledger.ts';
import { systemClock } from '../ports/clock.ts';
import { USDC_DEVNET_MINT, USDC_MINT } from '../programs/addresses.ts';
import type { Account } from '../solana/account.ts';
import { type Address, addressOf } from '../solana/address.ts';
import { type LedgerNode, openLedgerNode } from './ledger-node.ts';
import { NOTHING_PROVIDED, type ProvisionOptions } from './provision-options.ts';
import { nodeContext } from './testing/node-context.ts';

const WALLET = addressOf(new Uint8Array(32).fill(7));
const CLOCK = 'SysvarC1ock11111111111111111111111111111111' as Address;
const NOWHERE = 'http://127.0.0.1:9';

/** Opens the node of a folder, answers what `look` found and closes it. */
async function visit<T>(
  folder: string,
  given: Partial<ProvisionOptions> & { readonly reset?: boolean },
  look: (node: LedgerNode) => T | Promise<T>,
): Promise<T> {
  const { reset = false, ...parts } = given;
  const config = readConfig({ DATA_DIR: folder, ROLLUP: 'off' });
  const provision = { ...NOTHING_PROVIDED, ...parts };
  const node = await openLedgerNode(nodeContext(config), { reset, provision, endpoint: null });
  try {
    return await look(node);
  } finally {
    await node.close();
  }
}

/** A file with the text, in a folder of the test. */
function fileWith(text: string | Uint8Array): string {
  const file = join(temporaryFolder(), 'given');
  writeFileSync(file, text);
  return file;
}

function dumpOf(pubkey: Address, { owner, data }: Account, lamports: bigint): string {
  const text = Buffer.from(data).toString('base64');
  return fileWith(
    `{"pubkey":"${pubkey}","account":{"lamports":${lamports},"owner":"${owner}","data":["${text}","base64"]}}`,
  );
}

const account = (file: string): Partial<ProvisionOptions> => ({ accounts: [{ address: null, file }] });
const balanceOf = ({ ledger }: LedgerNode): bigint | undefined => ledger.getAccount(WALLET)?.lamports;
const tooRich = (): string => dumpOf(WALLET, mintAccount(null, 0), 2n ** 64n - 1n);
const badCode = (): string =>
  fileWith(Buffer.concat([Buffer.from('\x7fELF', 'latin1'), Buffer.alloc(500, 7)]));

describe('--reset', () => {
  it.each([
    ['a missing file', () => account('/nonexistent'), 'PROVISION_INVALID'],
    ['a file that is not a dump', () => account(fileWith('{}')), 'PROVISION_INVALID'],
    ['too many lamports', () => account(tooRich()), 'PROVISION_INVALID'],
    [
      'code that does not load',
      () => ({ programs: [{ address: WALLET, file: badCode() }] }),
      'PROVISION_INVALID',
    ],
    ['an invalid address', () => ({ clone: ['1'], url: NOWHERE }), 'INVALID_ADDRESS'],
    [
      'an account of a cluster that does not answer',
      () => ({ clone: [WALLET], url: NOWHERE }),
      'UPSTREAM_UNAVAILABLE',
    ],
    [
      'a fork of a cluster that does not answer',
      () => ({ fork: true, url: NOWHERE }),
      'UPSTREAM_UNAVAILABLE',
    ],
  ] as [string, () => Partial<ProvisionOptions>, string][])(
    'deletes nothing for %s (bug: the ledger was deleted before anything was read)',
    async (_, give, code) => {
      const folder = temporaryFolder();
      await visit(folder, {}, ({ ledger }) => ledger.airdrop(WALLET, 5_000_000n));
      await expect(visit(folder, { ...give(), reset: true }, balanceOf)).rejects.toMatchObject({ code });
      expect(await visit(folder, {}, balanceOf)).toBe(5_000_000n);
    },
  );

  it('has the provided accounts', async () => {
    const folder = temporaryFolder();
    await visit(folder, {}, ({ ledger }) => ledger.airdrop(WALLET, 5_000_000n));
    const given = account(dumpOf(WALLET, mintAccount(null, 0), 9n));
    expect(await visit(folder, { ...given, reset: true }, balanceOf)).toBe(9n);
  });
});

describe('lamports beyond a u64', () => {
  it.each([[0n], [10n ** 15n - 1n]])(
    'are rejected, for a new ledger and an existing one (bug: they bricked the folder)',
    async (left) => {
      const folder = temporaryFolder();
      const file = dumpOf(WALLET, mintAccount(null, 0), 2n ** 64n - 1n - left);
      const start = () => visit(folder, account(file), balanceOf);
      await expect(start()).rejects.toThrow('The provided accounts have too many lamports');
      await visit(folder, {}, () => undefined);
      await expect(start()).rejects.toThrow(`${WALLET} cannot be set: the total of all lamports`);
      expect(await visit(folder, {}, balanceOf)).toBeUndefined();
    },
  );
});

/** Slot and time of the Clock sysvar, and how far that is from the machine's. */
function clockOf({ ledger }: LedgerNode): { slot: bigint; secondsAhead: number } {
  const { data } = ledger.getAccount(CLOCK) as Account;
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const unixTimestamp = Number(view.getBigInt64(32, true));
  return {
    slot: view.getBigUint64(0, true),
    secondsAhead: Math.abs(unixTimestamp - Math.floor(systemClock.now() / 1_000)),
  };
}

describe('--warp-slot', () => {
  it('starts or jumps there without changing the time (bug: it moved into the future)', async () => {
    const folder = temporaryFolder();
    for (const warpSlot of [300_000_000, 400_000_000]) {
      await visit(folder, { warpSlot }, async (node) => {
        const { slot, secondsAhead } = clockOf(node);
        expect(Number(slot)).toBeGreaterThanOrEqual(warpSlot);
        expect(Number(slot)).toBeLessThan(warpSlot + 1_000);
        expect(secondsAhead).toBeLessThan(60);
        expect(node.warnings).toEqual([]);
        await node.ledger.airdrop(WALLET, 5_000_000n);
      });
    }
    expect(await visit(folder, {}, balanceOf)).toBe(10_000_000n);
  });

  it('warns if the ledger is at a later slot', async () => {
    const folder = temporaryFolder();
    await visit(folder, { warpSlot: 1_000 }, () => undefined);
    const warnings = await visit(folder, { warpSlot: 999 }, (node) => node.warnings);
    expect(warnings).toEqual([
      expect.stringMatching(/^--warp-slot 999 has no effect: the ledger is already at slot 1\d\d\d\.$/),
    ]);
  });

  it('warns on a new ledger, which starts at slot 512', async () => {
    const warnings = await visit(temporaryFolder(), { warpSlot: 9 }, (node) => node.warnings);
    expect(warnings).toEqual(['--warp-slot 9 has no effect: the ledger is already at slot 512.']);
  });
});

describe('a fork', () => {
  it('starts at the slot of the other cluster, with the current time (bug: it started at 512)', async () => {
    const source = await openTestLedger();
    const server = await serveLedger(source.ledger);
    onTestFinished(() => server.close());
    await source.ledger.travelTo({ slot: 350_000_000 });
    source.clock.pass(400);
    const fork = { fork: true, url: server.url.href };
    const folder = temporaryFolder();
    const begun = await visit(folder, fork, async (node) => {
      expect(clockOf(node).secondsAhead).toBeLessThan(60);
      await node.ledger.resetLedger();
      return node.ledger.head().slot;
    });
    expect(begun).toBeGreaterThanOrEqual(350_000_000);
    // Where a ledger is kept, or slot and rent are given, the cluster is not asked.
    const away = { fork: true, url: NOWHERE };
    expect(await visit(folder, away, ({ ledger }) => ledger.head().slot)).toBeGreaterThan(begun);
    const given = { ...away, warpSlot: 600, rentPerByte: 6_960 };
    expect(await visit(temporaryFolder(), given, ({ ledger }) => ledger.openedAtSlot)).toBe(600);
  });
});

describe('the displayed mints', () => {
  it('are those the faucet can mint (bug: a foreign mint was displayed as USDC)', async () => {
    const names = ({ mints }: LedgerNode): string[] => mints.map(({ address }) => address);
    const foreign = account(dumpOf(USDC_MINT, mintAccount(WALLET, 2), 9_000_000n));
    expect(await visit(temporaryFolder(), {}, names)).toEqual([USDC_MINT, USDC_DEVNET_MINT]);
    const bare = { genesisPrograms: false };
    expect(await visit(temporaryFolder(), bare, names)).toEqual([]);
    expect(await visit(temporaryFolder(), { ...bare, ...foreign }, names)).toEqual([]);
  });
});
