import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DELEGATION_PROGRAM, SYSVAR_OWNER, TOKEN_PROGRAM, USDC_MINT } from '../../programs/addresses.ts';
import { deriveAta } from '../../programs/associated-token.ts';
import { closeTokenAccount, transferTokens } from '../../programs/token/instructions.ts';
import type { Account } from '../../solana/account.ts';
import { type Address, addressOf } from '../../solana/address.ts';
import { bareGenesis, walletAccount } from '../genesis/genesis.ts';
import { deriveProgramData, programAccounts } from '../genesis/program-accounts.ts';
import type { Keypair } from '../keypair.ts';
import type { OpenLedgerOptions } from '../open-ledger.ts';
import { MemoryStore } from '../store/memory-store.ts';
import { accountOf } from '../testing/make-account.ts';
import { buildTransaction, openTestLedger, type TestLedger } from '../testing/test-ledger.ts';
import { Fork } from './fork.ts';
import { deadlyProgram } from './testing/deadly-program.ts';
import { type ServedCluster, startServedCluster } from './testing/served-cluster.ts';

const at = (byte: number): Address => addressOf(new Uint8Array(32).fill(byte));
const ataOf = (owner: Address): Address => deriveAta(owner, USDC_MINT, TOKEN_PROGRAM).address;

let cluster: ServedCluster;
/** A wallet with 10 SOL and 1000 base units of USDC on the cluster. */
let alice: Keypair;
let store: MemoryStore;
let world: TestLedger;
let fork: Fork;

beforeAll(async () => {
  cluster = await startServedCluster();
  alice = await cluster.fundedWallet();
  await cluster.ledger.airdropTokens(alice.address, USDC_MINT, 1_000n);
});
afterAll(() => cluster.close());

beforeEach(async () => {
  store = new MemoryStore();
  await openFork();
  cluster.reads.length = 0;
});

async function openFork(source = cluster.source, options: Partial<OpenLedgerOptions> = {}): Promise<void> {
  world = await openTestLedger({ place: { store }, genesis: bareGenesis(), ...options });
  fork = new Fork({ source, ledger: world.ledger, operator: world.ledger });
}

/** A fork of accounts that are made up for a test. */
async function openForkOf(accounts: Record<Address, Account>): Promise<void> {
  await openFork({
    getAccounts: async (addresses) => addresses.map((address) => accounts[address] ?? null),
  });
}

describe('a fork', () => {
  it('copies accounts permanently at first use', async () => {
    await fork.ensure([alice.address, at(99)]);
    expect(world.ledger.getAccount(alice.address)).toEqual(cluster.ledger.getAccount(alice.address));
    expect(new Map(store.accounts()).has(alice.address)).toBe(true);
    expect(fork.unknown([alice.address, at(99)])).toEqual([]);
    await fork.ensure([alice.address, at(99)]);
    expect(cluster.reads).toEqual([[alice.address, at(99)]]);
  });

  it('names the setting if there is no space for a copy, and copies accounts without data', async () => {
    await openFork(cluster.source, { accountsBytesMax: 1 });
    await expect(fork.ensure([USDC_MINT])).rejects.toMatchObject({
      code: 'LEDGER_FULL',
      message: expect.stringContaining('raise LEDGER_ACCOUNTS_BYTES_MAX') as string,
    });
    expect(world.ledger.getAccount(USDC_MINT)).toBeNull();
    await fork.ensure([alice.address]);
    expect(world.ledger.getAccount(alice.address)).not.toBeNull();
  });

  it('shares one read between concurrent requests', async () => {
    await Promise.all([
      fork.ensure([alice.address]),
      fork.ensure([alice.address, at(98)]),
      fork.ensure([at(98), at(98)]),
    ]);
    expect(cluster.reads).toEqual([[alice.address], [at(98)]]);
    expect(world.ledger.getAccount(alice.address)).not.toBeNull();
  });

  it('copies a program with its code and runs it', async () => {
    await fork.ensure([DELEGATION_PROGRAM, alice.address]);
    expect(cluster.reads).toEqual([
      [DELEGATION_PROGRAM, alice.address],
      [deriveProgramData(DELEGATION_PROGRAM)],
    ]);
    const call = { programId: DELEGATION_PROGRAM, accounts: [], data: new Uint8Array(0) };
    const { signature, err } = await world.ledger.submit(buildTransaction(world.ledger, [alice], [call]));
    expect(err).toEqual({ InstructionError: [0, 'InvalidInstructionData'] });
    expect(world.ledger.getTransaction(signature)?.logs.join('\n')).toContain('consumed');
  });

  it('copies the mint of a token account, and moves its tokens locally', async () => {
    const ata = ataOf(alice.address);
    await fork.ensure([alice.address, ata]);
    expect(cluster.reads).toEqual([[alice.address, ata], [USDC_MINT]]);
    const accounts = { source: ata, destination: ata, authority: alice.address };
    const transfer = transferTokens(TOKEN_PROGRAM, accounts, 1n);
    const { err } = await world.ledger.submit(buildTransaction(world.ledger, [alice], [transfer]));
    expect(err).toBeNull();
    expect(world.ledger.getAccount(alice.address)?.lamports).toBeLessThan(10_000_000_000n);
    expect(cluster.ledger.getAccount(alice.address)?.lamports).toBe(10_000_000_000n);
  });

  it('does not copy a locally closed account again, also after a restart', async () => {
    const ata = ataOf(alice.address);
    await fork.ensure([alice.address, ata]);
    await world.ledger.setAccounts([[ata, accountWithoutTokens(world.ledger.getAccount(ata) as Account)]]);
    const parties = { account: ata, destination: alice.address, authority: alice.address };
    const close = closeTokenAccount(TOKEN_PROGRAM, parties);
    expect(await world.ledger.submit(buildTransaction(world.ledger, [alice], [close]))).toMatchObject({
      err: null,
    });
    expect(fork.unknown([ata])).toEqual([]);

    await openFork();
    cluster.reads.length = 0;
    await fork.ensure([ata]);
    expect(world.ledger.getAccount(ata)).toBeNull();
    expect(cluster.reads).toEqual([]);
  });

  it('does not copy an account again that the operator removed', async () => {
    await fork.ensure([alice.address]);
    await world.ledger.setAccounts([[alice.address, walletAccount(0n)]]);
    await fork.ensure([alice.address]);
    expect(world.ledger.getAccount(alice.address)).toBeNull();
  });

  it('copies everything again after a reset', async () => {
    await fork.ensure([alice.address, at(97)]);
    await world.ledger.resetLedger();
    expect(world.ledger.getAccount(alice.address)).toBeNull();
    expect(fork.unknown([alice.address, at(97)])).toEqual([alice.address, at(97)]);
    await fork.ensure([alice.address]);
    expect(world.ledger.getAccount(alice.address)).not.toBeNull();
  });

  it('keeps an account that was created locally during the read', async () => {
    const loading = fork.ensure([alice.address]);
    await world.ledger.airdrop(alice.address, 5_000_000_000n);
    await loading;
    expect(world.ledger.getAccount(alice.address)?.lamports).toBe(5_000_000_000n);
  });

  it('has its own sysvars, and no programs that were closed', async () => {
    const [, closed] = programAccounts(at(2), new Uint8Array(0))[1] as [Address, Account];
    await openForkOf({ [at(1)]: accountOf(SYSVAR_OWNER, new Uint8Array(8)), [at(2)]: closed });
    await fork.ensure([at(1), at(2)]);
    expect([at(1), at(2)].map((address) => world.ledger.getAccount(address))).toEqual([null, null]);
  });
});

function accountWithoutTokens(account: Account): Account {
  const data = new Uint8Array(account.data);
  data.fill(0, 64, 72);
  return { ...account, data };
}

describe('a fork whose cluster fails', () => {
  it('fails, and reads again at the next use', async () => {
    const down = await startServedCluster();
    await down.close();
    await openFork(down.source);
    await expect(fork.ensure([alice.address])).rejects.toMatchObject({
      code: 'UPSTREAM_UNAVAILABLE',
      message: 'the cluster at --url could not be reached; try again',
    });
    expect(fork.unknown([alice.address])).toEqual([alice.address]);
  });

  it('rejects an account that would end the process, and stores the others', async () => {
    await openForkOf({ [at(1)]: walletAccount(5n), [at(2)]: deadlyProgram() });
    await expect(fork.ensure([at(1), at(2)])).rejects.toMatchObject({
      code: 'PROVISION_INVALID',
      context: { account: at(2) },
    });
    expect(world.ledger.getAccount(at(1))?.lamports).toBe(5n);
    expect(world.ledger.getAccount(at(2))).toBeNull();
  });
});
