import { beforeEach, describe, expect, it } from 'vitest';
import {
  delegationRecordData,
  MapChain,
  MapRollup,
  mintDataOf,
  tokenAccountData,
} from '../../../../test/ports/map-chain.ts';
import { Clusters } from '../../../chain/clusters.ts';
import { ServiceError } from '../../../errors/service-error.ts';
import { SeededRandom } from '../../../ledger/testing/seeded-random.ts';
import {
  DELEGATION_PROGRAM,
  EPHEMERAL_TOKEN_PROGRAM,
  TOKEN_PROGRAM,
  USDC_MINT,
} from '../../../programs/addresses.ts';
import { deriveAta } from '../../../programs/associated-token.ts';
import { deriveDelegationRecord } from '../../../programs/delegation/pdas.ts';
import { deriveEata } from '../../../programs/ephemeral-token/pdas.ts';
import { concat } from '../../../programs/instruction-data.ts';
import { type Address, addressBytes } from '../../../solana/address.ts';
import { createExplainTransaction } from '../../explain-transaction.ts';
import type { Operation } from '../../operation.ts';
import { createTransfer } from '../../transfer.ts';
import { createWithdraw } from '../../withdraw.ts';
import {
  requestArguments,
  VECTOR_TRANSACTIONS,
  type VectorTransaction,
} from '../testing/vector-transactions.ts';

const vectorOf = (id: string): VectorTransaction =>
  VECTOR_TRANSACTIONS.find((vector) => vector.id === id) as VectorTransaction;

const STRANGER = '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin' as Address;

let chain: MapChain;
let rollup: MapRollup;

/** A network whose base ledger simulates nothing, so that only the arrival is in doubt. */
function openNetwork(validator: Address): void {
  rollup = Object.assign(new MapRollup(), { validator });
  chain = Object.assign(new MapChain(), { network: 'mainnet', layout: 'b', rollup, validator });
  chain.put(USDC_MINT, { owner: TOKEN_PROGRAM, data: mintDataOf(USDC_MINT) });
  chain.simulateTransaction = () => Promise.reject(new ServiceError('UPSTREAM_TIMEOUT', 'late'));
}

/** An owner's eATA with these base units, delegated to a validator if one is given. */
function putEata(owner: Address, amount: bigint, validator?: Address): void {
  const eata = deriveEata(owner, USDC_MINT).address;
  const data = concat(addressBytes(owner), addressBytes(USDC_MINT), new Uint8Array(16));
  new DataView(data.buffer).setBigUint64(64, amount, true);
  chain.put(eata, { owner: validator === undefined ? EPHEMERAL_TOKEN_PROGRAM : DELEGATION_PROGRAM, data });
  if (validator === undefined) return;
  const record = { owner: DELEGATION_PROGRAM, data: delegationRecordData(validator) };
  chain.put(deriveDelegationRecord(eata).address, record);
}

/** The main parts of the explanation of a vector with its request. */
async function explain(vector: VectorTransaction, token?: string) {
  const deps = { clusters: new Clusters([chain]), random: new SeededRandom('arrivals') };
  const operations = [createTransfer(deps), createWithdraw(deps)] as Operation[];
  const operation = createExplainTransaction({ ...deps, operations, sponsor: null });
  const request = { operation: vector.op, arguments: requestArguments(vector) };
  const input = operation.input.parse({ transactionBase64: vector.transactionBase64, request });
  const { output } = await operation.run(input, { token });
  const found = output.findings.filter(({ code }) => /HOLDER|ANOTHER|ARRIVAL/.test(code));
  const open = output.request?.claims.filter(({ verdict }) => verdict === 'unverifiable') ?? [];
  return {
    satisfied: output.request?.satisfied,
    found: found.map(({ level, code }) => `${level} ${code}`),
    open: open.map(({ name }) => name),
    message: found[0]?.message ?? '',
  };
}

const ARRIVES = { satisfied: 'unverifiable', found: [], open: ['outcome'] };
const FAILS = { satisfied: 'no', found: ['danger ARRIVAL_FAILS'] };
const SEARCH_UNPROVEN = {
  satisfied: 'unverifiable',
  found: ['caution ARRIVAL_UNPROVEN'],
  open: expect.arrayContaining(['arrival']),
};

describe('tokens sent from base into the rollup', () => {
  const vector = vectorOf('b-pub-0024');
  const { to, validator } = vector.input as Record<'to' | 'validator', Address>;
  const ata = deriveAta(to, USDC_MINT, TOKEN_PROGRAM).address;
  const putOnRollup = (owner: Address, state = 1) =>
    rollup.put(ata, { owner: TOKEN_PROGRAM, data: tokenAccountData(USDC_MINT, owner, 0n, state) });

  beforeEach(() => {
    openNetwork(validator);
    putEata(to, 0n, validator);
  });

  it('arrive at an owner who has an account there', async () => {
    putOnRollup(to);
    expect(await explain(vector)).toMatchObject(ARRIVES);
  });

  it('are not proven to arrive in an account that the rollup hides', async () => {
    rollup.auth = {} as MapRollup['auth'];
    expect(await explain(vector)).toMatchObject(SEARCH_UNPROVEN);
  });

  it('are proven to arrive in a hidden account if the rollup reports that it is not being settled', async () => {
    rollup.auth = {} as MapRollup['auth'];
    const settling = (is: boolean) => Object.assign(rollup, { isSettling: () => Promise.resolve(is) });
    settling(false);
    expect(await explain(vector)).toMatchObject(ARRIVES);
    settling(true);
    expect(await explain(vector)).toMatchObject(FAILS);
  });

  it('do not arrive in an account that is frozen there', async () => {
    putOnRollup(to, 2);
    expect(await explain(vector)).toMatchObject(FAILS);
  });

  it('do not arrive without an account there (bug: it was only a caution)', async () => {
    chain.accounts.delete(deriveDelegationRecord(deriveEata(to, USDC_MINT).address).address);
    putEata(to, 0n);
    const { message, ...said } = await explain(vector);
    expect(said).toMatchObject(FAILS);
    expect(message).toContain('no account of mint');
  });

  it('are not proven to arrive while the rollup does not answer', async () => {
    rollup.getAccounts = () => Promise.reject(new ServiceError('UPSTREAM_TIMEOUT', 'late'));
    expect(await explain(vector)).toMatchObject(SEARCH_UNPROVEN);
  });

  it('are a danger if the recipient is on the rollup of another validator', async () => {
    putEata(to, 0n, STRANGER);
    const said = await explain(vector);
    expect(said).toMatchObject({ satisfied: 'no', found: ['danger TOKEN_ACCOUNT_OF_ANOTHER'] });
  });

  it('are a danger if the rollup shows that someone else owns the account', async () => {
    putOnRollup(STRANGER);
    const said = await explain(vector);
    expect(said).toMatchObject({ satisfied: 'no', found: ['danger TOKEN_ACCOUNT_OF_ANOTHER'] });
  });
});

describe('a withdrawal by shuttle', () => {
  const vector = vectorOf('b-pub-0015');
  const { owner, validator } = vector.input as Record<'owner' | 'validator', Address>;
  const ata = deriveAta(owner, USDC_MINT, TOKEN_PROGRAM).address;
  const putOnRollup = (amount: bigint, state = 1) =>
    rollup.put(ata, { owner: TOKEN_PROGRAM, data: tokenAccountData(USDC_MINT, owner, amount, state) });
  const putOnBase = (state = 1) =>
    chain.put(ata, { owner: TOKEN_PROGRAM, data: tokenAccountData(USDC_MINT, owner, 0n, state) });

  beforeEach(() => {
    openNetwork(validator);
    putEata(owner, 0n, validator);
    putOnBase();
    putOnRollup(1_000_000n);
  });

  it('arrives if the rollup holds the amount', async () => {
    expect(await explain(vector)).toMatchObject(ARRIVES);
  });

  it.each([999_999n, 0n])('does not arrive with %d base units there (bug: it was clear)', async (held) => {
    putOnRollup(held);
    const { message, ...said } = await explain(vector);
    expect(said).toMatchObject(FAILS);
    expect(message).toContain(`a balance of ${held === 0n ? '0' : '0.999999'} USDC`);
  });

  it("reads a hidden balance with the caller's token, and is unproven without one", async () => {
    const shown = rollup.getAccounts.bind(rollup);
    rollup.auth = { authorizedUsers: () => Promise.resolve([owner]) } as unknown as MapRollup['auth'];
    rollup.getAccounts = (addresses: readonly Address[], token?: string) =>
      token === 'own' ? shown(addresses) : Promise.resolve(addresses.map(() => null));
    const { message, ...said } = await explain(vector);
    expect(said).toMatchObject(SEARCH_UNPROVEN);
    expect(message).toContain("pass the owner's bearer token");
    expect(await explain(vector, 'other')).toMatchObject(SEARCH_UNPROVEN);
    expect(await explain(vector, 'own')).toMatchObject(ARRIVES);
    putOnRollup(999_999n);
    expect(await explain(vector, 'own')).toMatchObject(FAILS);
  });

  it.each([
    ['frozen on the rollup', () => void putOnRollup(1_000_000n, 2)],
    ['frozen on base', () => void putOnBase(2)],
    ['absent on base', () => void chain.accounts.delete(ata)],
  ])('does not arrive with the token account %s', async (_, spoil) => {
    spoil();
    expect(await explain(vector)).toMatchObject(FAILS);
  });

  it('moves tokens that wait on base back to the rollup first', async () => {
    chain.accounts.delete(deriveDelegationRecord(deriveEata(owner, USDC_MINT).address).address);
    putEata(owner, 1_000_000n);
    expect(await explain(vector)).toMatchObject(ARRIVES);
    putEata(owner, 999_999n);
    expect(await explain(vector)).toMatchObject(FAILS);
  });

  it('is unproven on a cluster without a rollup, or with the rollup of another validator', async () => {
    rollup.validator = STRANGER;
    expect(await explain(vector)).toMatchObject(SEARCH_UNPROVEN);
    chain.rollup = null;
    expect(await explain(vector)).toMatchObject(SEARCH_UNPROVEN);
  });
});
