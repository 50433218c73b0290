import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  BPF_LOADER_UPGRADEABLE,
  DELEGATION_PROGRAM,
  MEMO_PROGRAM,
  NOOP_PROGRAM,
  TOKEN_PROGRAM,
  USDC_MINT,
} from '../../programs/addresses.ts';
import { decodeMint } from '../../programs/token/state.ts';
import { addressOf, type Address } from '../../solana/address.ts';
import type { EmbeddedLedger } from '../embedded-ledger.ts';
import { readProgramDump } from '../genesis/local-dumps.ts';
import { bareGenesis, localGenesis } from '../genesis/local-genesis.ts';
import { mintAccount } from '../genesis/mint-account.ts';
import { deriveProgramData } from '../genesis/program-accounts.ts';
import { MemoryStore } from '../store/memory-store.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { buildTransaction, openTestLedger } from '../testing/test-ledger.ts';
import type { Provision } from './provision.ts';
import { Provisioner } from './provisioner.ts';
import { startServedCluster } from './testing/served-cluster.ts';

const at = (byte: number): Address => addressOf(new Uint8Array(32).fill(byte));
const NOTHING: Provision = { accounts: [], accountFolders: [], programs: [], mint: null, clones: null };

function writeProgram(code: Uint8Array = readProgramDump(NOOP_PROGRAM)): string {
  const file = join(temporaryFolder(), 'program.so');
  writeFileSync(file, code);
  return file;
}

function writeAccount(pubkey: Address, { lamports, data, owner }: ReturnType<typeof mintAccount>): string {
  const file = join(temporaryFolder(), `${pubkey}.json`);
  const text = [Buffer.from(data).toString('base64'), 'base64'];
  const account = { lamports: Number(lamports), data: text, owner, executable: false };
  writeFileSync(file, JSON.stringify({ pubkey, account }));
  return file;
}

/** A new ledger with what is given, and what is said about it. */
async function provisioned(
  parts: Partial<Provision>,
  { genesis = bareGenesis(), store = new MemoryStore() } = {},
) {
  const provisioner = new Provisioner({ ...NOTHING, ...parts });
  const world = await openTestLedger({ place: { store }, genesis: provisioner.genesis(genesis) });
  const warnings = await provisioner.complete(world.ledger, world.ledger);
  return { ...world, store, warnings };
}

async function call(world: Awaited<ReturnType<typeof provisioned>>, programId: Address) {
  const wallet = await world.fundedWallet();
  const instruction = { programId, accounts: [], data: new Uint8Array(0) };
  return await world.ledger.submit(buildTransaction(world.ledger, [wallet], [instruction]));
}

describe('a new ledger', () => {
  it('runs a program from a file, which belongs to the upgradeable loader', async () => {
    const world = await provisioned({
      programs: [{ address: at(7), file: writeProgram(), authority: null }],
    });
    expect(world.warnings).toEqual([]);
    expect(await call(world, at(7))).toMatchObject({ err: null, landed: true });
    expect(world.ledger.getAccount(at(7))).toMatchObject({ owner: BPF_LOADER_UPGRADEABLE, executable: true });
  });

  it('has what is given in the place of what it would begin with, built-in programs included', async () => {
    const world = await provisioned(
      {
        accounts: [{ address: null, file: writeAccount(USDC_MINT, mintAccount(at(3), 2)) }],
        programs: [{ address: MEMO_PROGRAM, file: writeProgram(), authority: at(9) }],
        mint: { address: at(5), lamports: 77n },
      },
      { genesis: localGenesis() },
    );
    expect(world.warnings).toEqual([]);
    expect(decodeMint(world.ledger.getAccount(USDC_MINT)?.data ?? new Uint8Array(0))).toMatchObject({
      mintAuthority: at(3),
      decimals: 2,
    });
    expect(world.ledger.getAccount(at(5))?.lamports).toBe(77n);
    const { signature } = await call(world, MEMO_PROGRAM);
    // The no-op program logs nothing, the memo program its memo.
    expect(world.ledger.getTransaction(signature)?.logs).toHaveLength(3);
  });

  it('begins again with it when it is reset', async () => {
    const world = await provisioned({ mint: { address: at(5), lamports: 77n } });
    await world.ledger.airdrop(at(5), 1n);
    await world.ledger.resetLedger();
    expect(world.ledger.getAccount(at(5))?.lamports).toBe(77n);
  });

  it('is empty but for what is built in and the faucet, when it is to have no programs', async () => {
    const { ledger } = await provisioned({});
    expect(ledger.getAccount(DELEGATION_PROGRAM)).toBeNull();
    expect(ledger.getAccount(USDC_MINT)).toBeNull();
    expect(ledger.getAccount(TOKEN_PROGRAM)).not.toBeNull();
    expect(ledger.getAccount(ledger.faucet)?.lamports).toBeGreaterThan(0n);
  });

  it('is not made with a program that does not load', async () => {
    const file = writeProgram(Buffer.concat([Buffer.from('\x7fELF', 'latin1'), Buffer.alloc(500, 7)]));
    await expect(
      provisioned({ programs: [{ address: at(7), file, authority: null }] }),
    ).rejects.toMatchObject({
      code: 'PROVISION_INVALID',
      message: `${at(7)} of program ${file} cannot be called: the engine does not load its code`,
    });
  });
});

describe('a ledger that is kept', () => {
  const changed = async (ledger: EmbeddedLedger): Promise<void> => {
    await ledger.airdrop(at(5), 1_000_000_000n);
  };

  it('gets what it lacks, and keeps its own, which is said', async () => {
    const world = await provisioned({ mint: { address: at(5), lamports: 77n } });
    await changed(world.ledger);
    const program = { address: at(7), file: writeProgram(), authority: null };
    const provisioner = new Provisioner({
      ...NOTHING,
      mint: { address: at(5), lamports: 77n },
      programs: [program],
    });
    const warnings = await provisioner.complete(world.ledger, world.ledger);
    expect(warnings).toEqual([
      `The kept ledger has accounts of its own where others are given, and keeps them: ${at(5)} (--mint). Start with --reset to begin with those that are given.`,
    ]);
    expect(world.ledger.getAccount(at(5))?.lamports).toBe(1_000_000_077n);
    expect(await call(world, at(7))).toMatchObject({ err: null });
    expect(new Map(world.store.accounts()).has(deriveProgramData(at(7)))).toBe(true);
    // What is there as it was given is no news.
    expect(
      await new Provisioner({ ...NOTHING, programs: [program] }).complete(world.ledger, world.ledger),
    ).toEqual([]);
  });

  it('does not ask the cluster for what it has', async () => {
    const cluster = await startServedCluster();
    onTestFinished(() => cluster.close());
    const clones = {
      source: cluster.source,
      accounts: [],
      optional: [at(99)],
      programs: [DELEGATION_PROGRAM],
    };
    const world = await provisioned({ clones });
    expect(world.warnings).toEqual([]);
    expect(cluster.reads).toEqual([[at(99), DELEGATION_PROGRAM], [deriveProgramData(DELEGATION_PROGRAM)]]);
    // Its own words: the code ran.
    const { signature } = await call(world, DELEGATION_PROGRAM);
    expect(world.ledger.getTransaction(signature)?.logs.join('\n')).toContain('InvalidInstructionData');

    await cluster.close();
    const provisioner = new Provisioner({ ...NOTHING, clones: { ...clones, optional: [] } });
    expect(await provisioner.complete(world.ledger, world.ledger)).toEqual([]);
  });
});
