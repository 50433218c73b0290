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
import { DELEGATION_PROGRAM, TOKEN_PROGRAM, USDC_MINT } from '../../../programs/addresses.ts';
import { deriveAta } from '../../../programs/associated-token.ts';
import { deriveDelegationRecord } from '../../../programs/delegation/pdas.ts';
import { deriveEata } from '../../../programs/ephemeral-token/pdas.ts';
import { concat } from '../../../programs/instruction-data.ts';
import { addressBytes, type Address } from '../../../solana/address.ts';
import { ANONYMOUS, type Operation } from '../../operation.ts';
import {
  VECTOR_TRANSACTIONS,
  requestArguments,
  type VectorTransaction,
} from '../testing/vector-transactions.ts';
import { createTransfer } from '../../transfer.ts';
import { createExplainTransaction } from '../../explain-transaction.ts';

/** A private transfer from base into the rollup whose recipient is to be there already. */
const vector = VECTOR_TRANSACTIONS.find(({ id }) => id === 'b-pub-0024') as VectorTransaction;
const {
  to,
  validator,
  mint = USDC_MINT,
} = vector.input as Record<'to' | 'validator', Address> & {
  mint?: Address;
};
const stranger = '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin' as Address;
const ata = deriveAta(to, mint, TOKEN_PROGRAM).address;

let chain: MapChain;
let rollup: MapRollup;

beforeEach(() => {
  rollup = new MapRollup();
  chain = Object.assign(new MapChain(), { network: 'mainnet', layout: 'b', rollup, validator });
  chain.put(mint, { owner: TOKEN_PROGRAM, data: mintDataOf(mint) });
  chain.simulateTransaction = () => Promise.reject(new ServiceError('UPSTREAM_TIMEOUT', 'late'));
});

/** The recipient's account on the rollup of a validator. */
function delegateTo(other: Address): void {
  const eata = deriveEata(to, mint).address;
  const data = concat(addressBytes(to), addressBytes(mint), new Uint8Array(16));
  chain.put(eata, { owner: DELEGATION_PROGRAM, data }).put(deriveDelegationRecord(eata).address, {
    owner: DELEGATION_PROGRAM,
    data: delegationRecordData(other),
  });
}

async function explain() {
  const clusters = new Clusters([chain]);
  const transfer = createTransfer({ clusters, random: new SeededRandom('arrivals') }) as unknown as Operation;
  const operation = createExplainTransaction({ clusters, operations: [transfer], sponsor: null });
  const request = { operation: 'transfer', arguments: requestArguments(vector) };
  const input = operation.input.parse({ transactionBase64: vector.transactionBase64, request });
  const { output } = await operation.run(input, ANONYMOUS);
  const found = output.findings.filter(({ code }) => /HOLDER|ANOTHER/.test(code));
  return { satisfied: output.request?.satisfied, found: found.map(({ level, code }) => [level, code]) };
}

describe('tokens that go from base into the rollup', () => {
  it('arrive with somebody who is there', async () => {
    delegateTo(validator);
    expect(await explain()).toEqual({ satisfied: 'yes', found: [] });
  });

  it('are said not to arrive where nobody is', async () => {
    expect(await explain()).toEqual({ satisfied: 'unverifiable', found: [['caution', 'HOLDER_UNSEEN']] });
  });

  it('are a danger when the recipient is on the rollup of another validator', async () => {
    delegateTo(stranger);
    expect(await explain()).toEqual({ satisfied: 'no', found: [['danger', 'TOKEN_ACCOUNT_OF_ANOTHER']] });
  });

  it('are a danger when the rollup shows the account in the hands of somebody else', async () => {
    delegateTo(validator);
    rollup.put(ata, { owner: TOKEN_PROGRAM, data: tokenAccountData(mint, stranger, 0n) });
    expect(await explain()).toEqual({ satisfied: 'no', found: [['danger', 'TOKEN_ACCOUNT_OF_ANOTHER']] });
  });
});
