import { beforeEach, describe, expect, it } from 'vitest';
import { Clusters } from '../../src/chain/clusters.ts';
import { NO_LAYOUT_B } from '../../src/ledger/network-programs/testing/layout-b-dumps.ts';
import { SeededRandom } from '../../src/ledger/testing/seeded-random.ts';
import {
  deriveDelegationAccounts,
  deriveFeesVaultOf,
  deriveMintVault,
} from '../../src/payments/accounts/deposit-accounts.ts';
import type { Explanation } from '../../src/payments/explain/answer/explanation-schema.ts';
import { accountsOf, callsOf } from '../../src/payments/explain/call.ts';
import { RENT_PDA } from '../../src/payments/fees/costs.ts';
import type { Operation } from '../../src/payments/operation.ts';
import { systemClock } from '../../src/ports/clock.ts';
import { silentLogger } from '../../src/ports/logger.ts';
import {
  DELEGATION_PROGRAM,
  EPHEMERAL_TOKEN_PROGRAM,
  NATIVE_MINT,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
  USDC_MINT,
} from '../../src/programs/addresses.ts';
import { createAtaIdempotent, deriveAta } from '../../src/programs/associated-token.ts';
import { deriveEata } from '../../src/programs/ephemeral-token/pdas.ts';
import { EATA_TABLE } from '../../src/programs/ephemeral-token/table/eata.ts';
import { encode } from '../../src/programs/instruction-table/encode.ts';
import { mintTo } from '../../src/programs/token/instructions.ts';
import { type Address, addressBytes, addressOf } from '../../src/solana/address.ts';
import { decodeTransaction } from '../../src/solana/transaction.ts';
import { createOperations } from '../../src/stack/operations.ts';
import { LAYOUT_B_PROGRAMS } from '../layout-b-programs.ts';
import { MapRollup, mintDataOf, tokenAccountData } from '../ports/map-chain.ts';
import { VmChain } from '../ports/vm-chain.ts';
import { createProgramVm, type ProgramVm } from '../program-vm.ts';

// What the networks run: each transaction is built by an operation, explained with a simulation on the real
// programs of layout B, and then run. A simulation that differed from what the instructions are said to do
// would be a false alarm here.

const OWNER = '3iH1ViqSdcJTdpJgM71ZRRcgxhdrh3fWXizxq5H1i2Yb' as Address;
const FRIEND = '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin' as Address;
/** On the curve, as keys that things are sealed for have to be. */
const VALIDATOR = 'MAS1Dt9qreoRMQ14YQuhg8UTZMMzDdKhmkZMECCzk57' as Address;

const ataOf = (owner: Address): Address => deriveAta(owner, USDC_MINT, TOKEN_PROGRAM).address;

let vm: ProgramVm;
let operations: ReadonlyMap<string, Operation>;
let rollup: MapRollup;

beforeEach(({ skip }) => {
  if (LAYOUT_B_PROGRAMS === null) return skip(`needs ${NO_LAYOUT_B}`);
  vm = createProgramVm([], 'base', LAYOUT_B_PROGRAMS);
  const chain = new VmChain(vm);
  Object.assign(chain, { cluster: 'mainnet', network: 'mainnet', layout: 'b', validator: VALIDATOR });
  rollup = Object.assign(new MapRollup(), { validator: VALIDATOR });
  chain.rollup = rollup;
  chain.isBlockhashValid = () => Promise.resolve(true);
  const ports = { clock: systemClock, random: new SeededRandom('layout-b'), logger: silentLogger };
  const made = createOperations({ gaslessSponsorSecretKey: null }, new Clusters([chain]), ports);
  operations = new Map(made.map((operation) => [operation.name, operation]));
  const mint = mintDataOf(USDC_MINT);
  mint[0] = 1;
  mint.set(addressBytes(OWNER), 4);
  vm.put(USDC_MINT, { lamports: 1_461_600n, owner: TOKEN_PROGRAM, data: mint });
  vm.put(NATIVE_MINT, { lamports: 1_461_600n, owner: TOKEN_PROGRAM, data: mintDataOf(NATIVE_MINT) });
  for (const wallet of [OWNER, FRIEND]) {
    vm.put(wallet, { lamports: 10_000_000_000n, owner: SYSTEM_PROGRAM, data: new Uint8Array() });
    vm.run(
      OWNER,
      createAtaIdempotent({
        payer: OWNER,
        ata: ataOf(wallet),
        owner: wallet,
        mint: USDC_MINT,
        tokenProgram: TOKEN_PROGRAM,
      }),
      mintTo(TOKEN_PROGRAM, { mint: USDC_MINT, destination: ataOf(wallet), authority: OWNER }, 5_000_000n),
    );
  }
  vm.put(deriveFeesVaultOf(VALIDATOR), {
    lamports: 10_000_000n,
    owner: DELEGATION_PROGRAM,
    data: new Uint8Array(8),
  });
  vm.put(RENT_PDA, { lamports: 100_000_000n, owner: SYSTEM_PROGRAM, data: new Uint8Array() });
});

async function call(name: string, args: object) {
  const operation = operations.get(name);
  if (operation === undefined) throw new Error(`there is no operation ${name}`);
  return (await operation.run(operation.input.parse(args), { token: 'for the rollup' })).output as Record<
    string,
    unknown
  >;
}

/**
 * Builds, explains with and without the request, and runs: what was found, and whether it is what was asked
 * for.
 */
async function play(name: string, args: object) {
  const { transactionBase64 } = await call(name, args);
  const request = { operation: name, arguments: args };
  const asked = (await call('explainTransaction', {
    transactionBase64,
    sendTo: 'base',
    request,
  })) as unknown as Explanation;
  const alone = (await call('explainTransaction', {
    transactionBase64,
    sendTo: 'base',
  })) as unknown as Explanation;
  vm.send(new Uint8Array(Buffer.from(String(transactionBase64), 'base64')));
  const found = ({ findings, simulation }: Explanation) => ({
    simulation: [simulation?.status, simulation?.error?.message],
    findings: findings.map(({ level, code, message }) => [level, code, level === 'note' ? '' : message]),
  });
  return { asked: found(asked), alone: found(alone), satisfied: asked.request?.satisfied };
}

const CLEAR = { simulation: ['succeeds', undefined], findings: [] };
const SEALED_RECIPIENT = ['caution', 'SEALED_RECIPIENT', expect.stringContaining(VALIDATOR)];
const SEALED = {
  ...CLEAR,
  findings: [SEALED_RECIPIENT, ['caution', 'REQUEST_UNVERIFIABLE', expect.any(String)]],
};

const mint = USDC_MINT;
const between = { from: OWNER, to: FRIEND, mint, amount: 10_000 };

/** The shuttle that a transaction of layout B is to make. */
function shuttleIn(transactionBase64: string): Address {
  const transaction = decodeTransaction(new Uint8Array(Buffer.from(transactionBase64, 'base64')));
  const calls = callsOf(transaction, accountsOf(transaction, new Map()));
  const tags = new Set([24, 25, 26]);
  const made = calls.find(
    ({ program, data }) => program === EPHEMERAL_TOKEN_PROGRAM && tags.has(data[0] ?? 0),
  );
  return made?.accounts[2]?.address as Address;
}

/** Makes the mint ready and gives its queue away, as its validator would have it. */
async function initialize(): Promise<void> {
  expect(await play('initializeMint', { payer: OWNER, mint })).toMatchObject({
    asked: CLEAR,
    satisfied: 'yes',
  });
}

describe('built transactions on the programs of the networks raise no alarm', () => {
  it('initializeMint, deposits by shuttle and directly, and withdrawals by shuttle', async () => {
    await initialize();
    expect(await play('deposit', { owner: OWNER, mint, amount: 1_000_000 })).toEqual({
      asked: CLEAR,
      alone: CLEAR,
      satisfied: 'yes',
    });
    const data = tokenAccountData(mint, OWNER, 1_000_000n);
    rollup.put(ataOf(OWNER), { owner: TOKEN_PROGRAM, data });
    expect(await play('withdraw', { owner: OWNER, mint, amount: 1_000 })).toEqual({
      asked: CLEAR,
      alone: CLEAR,
      satisfied: 'yes',
    });
    expect(await play('deposit', { owner: FRIEND, mint, amount: 1_000_000, idempotent: false })).toEqual({
      asked: CLEAR,
      alone: CLEAR,
      satisfied: 'yes',
    });
  });

  it('public and private transfers', async () => {
    await initialize();
    expect(await play('transfer', { ...between, visibility: 'public' })).toMatchObject({
      asked: CLEAR,
      satisfied: 'yes',
    });
    expect(await play('transfer', { ...between, visibility: 'private' })).toEqual({
      asked: SEALED,
      alone: { ...CLEAR, findings: [SEALED_RECIPIENT] },
      satisfied: 'unverifiable',
    });
    expect(
      await play('transfer', {
        ...between,
        visibility: 'private',
        toBalance: 'ephemeral',
        initIfMissing: true,
      }),
    ).toEqual({ asked: CLEAR, alone: CLEAR, satisfied: 'yes' });
  });

  it('native SOL, which is wrapped', async () => {
    await play('initializeMint', { payer: OWNER, mint: NATIVE_MINT });
    const { asked, alone } = await play('deposit', { owner: OWNER, mint: NATIVE_MINT, amount: 1_000_000 });
    expect(alone).toEqual(CLEAR);
    expect(asked.findings.filter(([level]) => level === 'danger')).toEqual([]);
  });

  it('stealth handles', async () => {
    const args = { payer: OWNER, authority: OWNER, handle: 'paul', destinations: [FRIEND] };
    const { setupTransaction } = await call('createStealthPool', args);
    const { transactionBase64 } = setupTransaction as { transactionBase64: string };
    const explained = (await call('explainTransaction', {
      transactionBase64,
      sendTo: 'base',
      request: { operation: 'createStealthPool', arguments: args },
    })) as unknown as Explanation;
    expect(explained.findings).toEqual([]);
    expect(explained.request?.satisfied).toBe('yes');
  });

  it.each([
    ['deposit', { owner: OWNER, mint, amount: 1_000_000 }],
    ['transfer', between],
    ['withdraw', { owner: OWNER, mint, amount: 1_000 }],
  ])(
    'but a %s through a shuttle does if someone has delegated its eATA (bug: a withdrawal was clear)',
    async (name, args) => {
      await initialize();
      await play('deposit', { owner: OWNER, mint, amount: 1_000_000 });
      const transactionBase64 = String((await call(name, args))['transactionBase64']);
      const shuttle = shuttleIn(transactionBase64);
      const eata = deriveEata(shuttle, mint).address;
      const delegation = deriveDelegationAccounts(eata, EPHEMERAL_TOKEN_PROGRAM);
      vm.run(
        FRIEND,
        encode(EATA_TABLE.initEata, { eata, payer: FRIEND, owner: shuttle, mint }),
        encode(EATA_TABLE.delegateEata, { payer: FRIEND, eata, delegation }, { validator: VALIDATOR }),
      );
      const request = { operation: name, arguments: args };
      const input = { transactionBase64, sendTo: 'base', request };
      const explained = (await call('explainTransaction', input)) as unknown as Explanation;
      expect(explained.verdict).toBe('danger');
      expect(explained.request?.satisfied).toBe('no');
      const codes = explained.findings.map(({ code }) => code);
      expect(codes).toContain('SHUTTLE_TAKEN');
      expect(explained.findings.map(({ message }) => message).join('\n')).toContain(
        `eATA ${eata} of the shuttle is not delegated`,
      );
    },
  );

  it('but a vault whose tokens belong to someone else does', async () => {
    await initialize();
    const { transactionBase64 } = await call('deposit', { owner: OWNER, mint, amount: 1_000 });
    const { vaultAta } = deriveMintVault(mint, TOKEN_PROGRAM);
    const account = vm.account(vaultAta);
    if (account === null) throw new Error('there is no vault');
    const data = Uint8Array.from(account.data);
    data.set(addressBytes(addressOf(new Uint8Array(32).fill(9))), 32);
    vm.put(vaultAta, { ...account, data });
    const explained = (await call('explainTransaction', { transactionBase64 })) as unknown as Explanation;
    expect(explained.verdict).toBe('danger');
    expect(explained.findings.map(({ code }) => code)).toContain('VAULT_WRONG');
  });
});
