import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  BPF_LOADER_UPGRADEABLE,
  DELEGATION_PROGRAM,
  EPHEMERAL_TOKEN_PROGRAM,
  LOCALNET_VALIDATOR,
  MEMO_PROGRAM,
  NATIVE_LOADER,
  NOOP_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
  USDC_MINT,
} from '../../programs/addresses.ts';
import { decodeMint } from '../../programs/token/state.ts';
import type { Account } from '../../solana/account.ts';
import { type Address, addressOf } from '../../solana/address.ts';
import type { EmbeddedLedger } from '../embedded-ledger.ts';
import { readProgramDump } from '../genesis/dumps.ts';
import { type AccountEntry, bareGenesis, localGenesis, mintAccount } from '../genesis/genesis.ts';
import { deriveProgramData, programAccounts } from '../genesis/program-accounts.ts';
import { MemoryStore } from '../store/memory-store.ts';
import { holdingsOf } from '../testing/holdings-of.ts';
import { accountOf } from '../testing/make-account.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { buildTransaction, openTestLedger } from '../testing/test-ledger.ts';
import type { AccountSource, CloneList } from './clone-accounts.ts';
import { Provisioner } from './provisioner.ts';
import type { Provision } from './read-provision.ts';
import { EMPTY_PROVISION } from './testing/empty-provision.ts';
import { startServedCluster } from './testing/served-cluster.ts';

const ED25519 = 'Ed25519SigVerify111111111111111111111111111' as Address;
const CLOCK = 'SysvarC1ock11111111111111111111111111111111' as Address;
/** It has no account of its own; the runtime makes it up for a program that asks. */
const INSTRUCTIONS = 'Sysvar1nstructions1111111111111111111111111' as Address;
const at = (byte: number): Address => addressOf(new Uint8Array(32).fill(byte));

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

/** A new ledger with the given provision, and its warnings. */
async function provisioned(
  parts: Partial<Provision>,
  { genesis = bareGenesis(), store = new MemoryStore() } = {},
) {
  const provisioner = new Provisioner({ ...EMPTY_PROVISION, ...parts }, genesis);
  const world = await openTestLedger({ place: { store }, genesis: provisioner.genesis() });
  const warnings = await provisioner.complete(world.ledger, world.ledger);
  return { ...world, store, warnings };
}

async function call(world: Awaited<ReturnType<typeof provisioned>>, programId: Address) {
  const wallet = await world.fundedWallet();
  const instruction = { programId, accounts: [], data: new Uint8Array(0) };
  return await world.ledger.submit(buildTransaction(world.ledger, [wallet], [instruction]));
}

/** A snapshot of accounts, as `surfnet_exportSnapshot` answers it. */
function writeSnapshot(accounts: readonly AccountEntry[]): string {
  const file = join(temporaryFolder(), 'snapshot.json');
  const shown = accounts.map(([address, { lamports, data, owner, executable }]) => [
    address,
    {
      lamports: String(lamports),
      owner,
      executable,
      rentEpoch: 0,
      data: Buffer.from(data).toString('base64'),
      parsedData: null,
    },
  ]);
  writeFileSync(file, JSON.stringify(Object.fromEntries(shown)));
  return file;
}

describe('a snapshot', () => {
  it('is the content of a new ledger, programs with their code; a later snapshot wins', async () => {
    const code = readProgramDump(NOOP_PROGRAM);
    const snapshots = [
      writeSnapshot([[at(1), accountOf(SYSTEM_PROGRAM, new Uint8Array(0), 5n)]]),
      writeSnapshot([
        [at(1), accountOf(SYSTEM_PROGRAM, new Uint8Array(0), 6n)],
        ...programAccounts(at(2), code).toReversed(),
      ]),
    ];
    const { ledger, warnings } = await provisioned({ snapshots });
    expect(warnings).toEqual([]);
    expect(ledger.getAccount(at(1))?.lamports).toBe(6n);
    expect(ledger.getAccount(deriveProgramData(at(2)))?.data).toEqual(
      programAccounts(at(2), code)[0][1].data,
    );
  });

  it("keeps the ledger's own mint, with the supply of the snapshot", async () => {
    const first = await provisioned({}, { genesis: localGenesis() });
    const { ledger: old } = first;
    await old.airdropTokens(at(1), USDC_MINT, 700n);
    const taken = [...old.accounts()].filter(([, { owner }]) => owner === TOKEN_PROGRAM);
    const { ledger, warnings } = await provisioned(
      { snapshots: [writeSnapshot(taken)] },
      { genesis: localGenesis() },
    );
    expect(warnings).toEqual([expect.stringContaining(`keeps them: `)]);
    expect(warnings[0]).toContain(USDC_MINT);
    const mint = ledger.getAccount(USDC_MINT) as Account;
    expect(new DataView(mint.data.buffer, mint.data.byteOffset).getBigUint64(36, true)).toBe(700n);
    expect(holdingsOf(ledger, USDC_MINT).slice(0, 1)).toMatchObject([{ amount: 700n }]);
    await ledger.airdropTokens(at(1), USDC_MINT, 1n);
  });

  it('adds the missing accounts to an existing ledger and changes no others', async () => {
    const store = new MemoryStore();
    await provisioned({}, { store });
    const wallet = accountOf(SYSTEM_PROGRAM, new Uint8Array(0), 5n);
    const { ledger } = await provisioned({ snapshots: [writeSnapshot([[at(1), wallet]])] }, { store });
    expect(ledger.getAccount(at(1))?.lamports).toBe(5n);
    const other = { ...wallet, lamports: 9n };
    const again = await provisioned({ snapshots: [writeSnapshot([[at(1), other]])] }, { store });
    expect(again.ledger.getAccount(at(1))?.lamports).toBe(5n);
    expect(again.warnings).toEqual([expect.stringContaining('Start with --reset')]);
  });
});

describe('accounts beyond the limit of a ledger', () => {
  const MIB = 1024 * 1024;
  const full = {
    code: 'LEDGER_FULL',
    message: expect.stringContaining('raise LEDGER_ACCOUNTS_BYTES_MAX') as string,
  };
  const give = () => {
    const file = writeAccount(at(9), accountOf(SYSTEM_PROGRAM, new Uint8Array(6 * MIB)));
    return { ...EMPTY_PROVISION, accounts: [{ address: null, file }] };
  };

  it('are rejected by the genesis of a new ledger', async () => {
    const accountsOf = async (...parts: ConstructorParameters<typeof Provisioner>) =>
      await new Provisioner(...parts).genesis().accounts(at(1));
    await expect(accountsOf(give(), bareGenesis(), 9 * MIB)).rejects.toMatchObject(full);
    await accountsOf(give(), bareGenesis(), 11 * MIB);
    await accountsOf(EMPTY_PROVISION, bareGenesis(), 1);
  });

  it('are rejected by an existing ledger, which continues without them', async () => {
    const store = new MemoryStore();
    const { ledger } = await provisioned({}, { store });
    await ledger.close();
    const kept = await openTestLedger({ place: { store }, accountsBytesMax: 7 * MIB });
    const provisioner = new Provisioner(give(), bareGenesis(), 7 * MIB);
    await expect(provisioner.complete(kept.ledger, kept.ledger)).rejects.toMatchObject(full);
    expect(kept.ledger.getAccount(at(9))).toBeNull();
    await kept.ledger.close();
  });

  it('leave space for the accounts of every ledger', async () => {
    const { ledger } = await provisioned({});
    expect(ledger.accountsBytes()).toBeLessThan(4 * MIB);
  });
});

describe('a new ledger', () => {
  it('runs a program from a file, which belongs to the upgradeable loader', async () => {
    const world = await provisioned({
      programs: [{ address: at(7), file: writeProgram(), authority: null }],
    });
    expect(world.warnings).toEqual([]);
    expect(await call(world, at(7))).toMatchObject({ err: null, landed: true });
    expect(world.ledger.getAccount(at(7))).toMatchObject({ owner: BPF_LOADER_UPGRADEABLE, executable: true });
  });

  it('can have a foreign mint at a well-known address if it has no mints of its own', async () => {
    const world = await provisioned({
      accounts: [{ address: null, file: writeAccount(USDC_MINT, mintAccount(at(3), 2)) }],
    });
    expect(decodeMint(world.ledger.getAccount(USDC_MINT)?.data ?? new Uint8Array(0))).toMatchObject({
      mintAuthority: at(3),
      decimals: 2,
    });
  });

  it('has that mint again after a reset', async () => {
    const world = await provisioned({ mint: { address: at(5), lamports: 77n } });
    await world.ledger.airdrop(at(5), 1_000_000_000n);
    await world.ledger.resetLedger();
    expect(world.ledger.getAccount(at(5))?.lamports).toBe(77n);
  });

  it('has only built-in accounts and the faucet without genesis programs', async () => {
    const { ledger } = await provisioned({});
    expect(ledger.getAccount(DELEGATION_PROGRAM)).toBeNull();
    expect(ledger.getAccount(USDC_MINT)).toBeNull();
    expect(ledger.getAccount(TOKEN_PROGRAM)).not.toBeNull();
    expect(ledger.getAccount(ledger.faucet)?.lamports).toBeGreaterThan(0n);
  });

  it('is not created with a program that does not load', async () => {
    const file = writeProgram(Buffer.concat([Buffer.from('\x7fELF', 'latin1'), Buffer.alloc(500, 7)]));
    await expect(
      provisioned({ programs: [{ address: at(7), file, authority: null }] }),
    ).rejects.toMatchObject({
      code: 'PROVISION_INVALID',
      message: `${at(7)} of program ${file} cannot be called: the engine does not load its code`,
    });
  });
});

describe('an existing ledger', () => {
  const changed = async (ledger: EmbeddedLedger): Promise<void> => {
    await ledger.airdrop(at(5), 1_000_000_000n);
  };

  it('gets the missing accounts and keeps others, with a warning', async () => {
    const world = await provisioned({ mint: { address: at(5), lamports: 77n } });
    await changed(world.ledger);
    const program = { address: at(7), file: writeProgram(), authority: null };
    const provisioner = new Provisioner(
      { ...EMPTY_PROVISION, mint: { address: at(5), lamports: 77n }, programs: [program] },
      bareGenesis(),
    );
    const warnings = await provisioner.complete(world.ledger, world.ledger);
    expect(warnings).toEqual([
      `The existing ledger has other accounts at these addresses, and keeps them: ${at(5)} (--mint). Start with --reset to create a ledger with the provided accounts.`,
    ]);
    expect(world.ledger.getAccount(at(5))?.lamports).toBe(1_000_000_077n);
    expect(await call(world, at(7))).toMatchObject({ err: null });
    expect(new Map(world.store.accounts()).has(deriveProgramData(at(7)))).toBe(true);
    // What is there as it was given is no news.
    const again = new Provisioner({ ...EMPTY_PROVISION, programs: [program] }, bareGenesis());
    expect(await again.complete(world.ledger, world.ledger)).toEqual([]);
  });

  it('does not read accounts from the cluster that it has', async () => {
    const cluster = await startServedCluster();
    onTestFinished(() => cluster.close());
    const clones = {
      source: cluster.source,
      accounts: [],
      optional: [at(99)],
      programs: [DELEGATION_PROGRAM],
      tables: [],
    };
    const world = await provisioned({ clones });
    expect(world.warnings).toEqual([]);
    expect(cluster.reads).toEqual([[at(99), DELEGATION_PROGRAM], [deriveProgramData(DELEGATION_PROGRAM)]]);
    // Its own words: the code ran.
    const { signature } = await call(world, DELEGATION_PROGRAM);
    expect(world.ledger.getTransaction(signature)?.logs.join('\n')).toContain('InvalidInstructionData');

    await cluster.close();
    const provisioner = new Provisioner(
      { ...EMPTY_PROVISION, clones: { ...clones, optional: [] } },
      bareGenesis(),
    );
    expect(await provisioner.complete(world.ledger, world.ledger)).toEqual([]);
  });
});

describe("the ledger's own account", () => {
  const mint = (address: Address): Partial<Provision> => ({ mint: { address, lamports: 77n } });
  const accountAt = (address: Address): Partial<Provision> => ({
    accounts: [{ address, file: writeAccount(at(1), mintAccount(at(3), 2)) }],
  });
  const programAt = (address: Address): Partial<Provision> => ({
    programs: [{ address, file: writeProgram(), authority: null }],
  });
  const silent = { getAccounts: async () => Promise.reject(new Error('the cluster was asked')) };
  const cloneOf = (list: Partial<CloneList>): Partial<Provision> => ({
    clones: { source: silent, accounts: [], optional: [], programs: [], tables: [], ...list },
  });
  const refused: [string, () => Partial<Provision>][] = [
    ['the system program', () => mint(SYSTEM_PROGRAM)],
    ['a precompile', () => mint(ED25519)],
    ['the native loader', () => mint(NATIVE_LOADER)],
    ['a sysvar', () => accountAt(CLOCK)],
    ['a sysvar without account', () => mint(INSTRUCTIONS)],
    ['a built-in program', () => programAt(MEMO_PROGRAM)],
    ['the code of a built-in program', () => accountAt(deriveProgramData(TOKEN_PROGRAM))],
    ['a seeded program', () => programAt(DELEGATION_PROGRAM)],
    ['the code of a seeded program', () => accountAt(deriveProgramData(EPHEMERAL_TOKEN_PROGRAM))],
    ['a seeded mint', () => accountAt(USDC_MINT)],
    ["the validator's wallet", () => mint(LOCALNET_VALIDATOR)],
    ['--clone', () => cloneOf({ accounts: [USDC_MINT] })],
    ['--maybe-clone', () => cloneOf({ optional: [MEMO_PROGRAM] })],
    ['--clone-upgradeable-program', () => cloneOf({ programs: [TOKEN_PROGRAM] })],
  ];

  it.each(refused)(
    'is not replaced on a new or existing ledger: %s (bug: payments used the replacement)',
    async (_, give) => {
      const genesis = localGenesis();
      const refusal = {
        code: 'PROVISION_INVALID',
        message: expect.stringContaining('where the ledger already has an account'),
      };
      await expect(provisioned(give(), { genesis })).rejects.toMatchObject(refusal);
      const { ledger } = await provisioned({}, { genesis });
      const provisioner = new Provisioner({ ...EMPTY_PROVISION, ...give() }, genesis);
      await expect(provisioner.complete(ledger, ledger)).rejects.toMatchObject(refusal);
    },
  );

  it('is not replaced if it is the faucet or the validator of an existing ledger', async () => {
    const { ledger } = await provisioned({});
    for (const address of [ledger.faucet, at(8)]) {
      const provisioner = new Provisioner({ ...EMPTY_PROVISION, ...mint(address) }, bareGenesis());
      await expect(provisioner.complete(ledger, ledger, [at(8)])).rejects.toMatchObject({
        code: 'PROVISION_INVALID',
        message: expect.stringContaining(
          `--mint cannot be set at ${address}, where the ledger already has an account`,
        ),
      });
    }
  });

  it('is not replaced by the code of a copied program', async () => {
    const [, program] = programAccounts(TOKEN_PROGRAM, new Uint8Array(0));
    const [code] = programAccounts(at(7), readProgramDump(NOOP_PROGRAM));
    const there = new Map<Address, Account>([
      [at(7), (program as AccountEntry)[1]],
      [deriveProgramData(TOKEN_PROGRAM), (code as AccountEntry)[1]],
    ]);
    const source: AccountSource = {
      getAccounts: async (addresses) => addresses.map((address) => there.get(address) ?? null),
    };
    const clones = { source, accounts: [at(7)], optional: [], programs: [], tables: [] };
    await expect(provisioned({ clones })).rejects.toMatchObject({
      code: 'PROVISION_INVALID',
      context: { account: deriveProgramData(TOKEN_PROGRAM) },
    });
  });
});
