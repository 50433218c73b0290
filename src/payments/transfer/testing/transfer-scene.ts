import { expect } from 'vitest';
import {
  delegationRecordData,
  type MapChain,
  type MapRollup,
  tokenAccountData,
} from '../../../../test/ports/map-chain.ts';
import { Clusters } from '../../../chain/clusters.ts';
import { isServiceError, type ServiceError } from '../../../errors/service-error.ts';
import { type Random, systemRandom } from '../../../ports/random.ts';
import {
  DELEGATION_PROGRAM,
  EPHEMERAL_TOKEN_PROGRAM,
  TOKEN_PROGRAM,
  USDC_MINT,
} from '../../../programs/addresses.ts';
import { deriveAta } from '../../../programs/associated-token.ts';
import { deriveDelegationRecord } from '../../../programs/delegation/pdas.ts';
import { deriveEata } from '../../../programs/ephemeral-token/pdas.ts';
import { deriveStealthPool } from '../../../programs/ephemeral-token/stealth-pool.ts';
import type { Address } from '../../../solana/address.ts';
import { decodeTransaction, type Transaction } from '../../../solana/transaction.ts';
import type { Sponsor } from '../../fees/sponsor.ts';
import { ANONYMOUS } from '../../operation.ts';
import { createTransfer } from '../../transfer.ts';
import { readyChain } from './ready-chain.ts';

export const FROM = '8RzHqGSjJnKayxwwRERRPrdXVn69nfM2eg5v63Qxz2vL' as Address;
export const TO = '5wAwJpWRgrMdc7jermX9HgMdouxcDcDRcZPxDFJgW3vw' as Address;
export const VALIDATOR = 'MAS1Dt9qreoRMQ14YQuhg8UTZMMzDdKhmkZMECCzk57' as Address;
/** A validator other than the cluster's. */
export const ELSEWHERE = 'MEUGGrYPxKk17hCr7wpT6s8dtNokZj5U2L57vjYMS8e' as Address;
export const SPONSOR: Sponsor = {
  address: '4nifwq53g7bBbDDXXVkYZbyei6AH9pqxUxxq4YjqFzdH' as Address,
  cosign: async () => new Uint8Array(64).fill(1),
};
export const FEE_ACCOUNT = '6QxLzE2KfM1NAB7sTzUPk4cNsA6V9fB3eYq9s6d9r9hP' as Address;
/** A handle whose pool exists. */
export const HANDLE = 'john.doe@magicblock.id';
export const TO_ATA = deriveAta(TO, USDC_MINT, TOKEN_PROGRAM).address;
export const FROM_ATA = deriveAta(FROM, USDC_MINT, TOKEN_PROGRAM).address;

/** Options that choose a route. Without them the transfer is private from base to base. */
export const PUBLIC = { visibility: 'public' };
export const TO_ROLLUP = { toBalance: 'ephemeral' };
export const ON_ROLLUP = { fromBalance: 'ephemeral', toBalance: 'ephemeral' };
export const FROM_ROLLUP = { fromBalance: 'ephemeral' };
export const PLATFORM = { platformFeeBps: 100, platformFeeAccount: FEE_ACCOUNT };

/** A transfer of 1 USDC from FROM to TO that succeeds until a test changes something. */
export class TransferScene {
  chain: MapChain;
  random: Random = systemRandom;
  sponsor: Sponsor | undefined = SPONSOR;

  constructor() {
    this.chain = readyChain({
      from: FROM,
      to: TO,
      mint: USDC_MINT,
      validator: VALIDATOR,
      sponsor: SPONSOR.address,
      platformFeeAccount: FEE_ACCOUNT,
    });
    const pool = { owner: EPHEMERAL_TOKEN_PROGRAM, data: new Uint8Array(619) };
    this.chain.put(deriveStealthPool(HANDLE).address, pool);
    for (const owner of [FROM, TO, SPONSOR.address]) this.delegate(owner, VALIDATOR);
    this.putRollupTokens(100_000_000n);
  }

  /** Sets the sender's balance on the rollup, in base units. */
  putRollupTokens(amount: bigint): void {
    const data = tokenAccountData(USDC_MINT, FROM, amount);
    (this.chain.rollup as MapRollup).put(FROM_ATA, { owner: TOKEN_PROGRAM, data });
  }

  get operation() {
    const { chain, random, sponsor } = this;
    return createTransfer({ clusters: new Clusters([chain]), random, sponsor });
  }

  /** Delegates the owner's eATA to a validator. */
  delegate(owner: Address, validator: Address): void {
    const eata = deriveEata(owner, USDC_MINT).address;
    const data = delegationRecordData(validator);
    this.chain
      .put(eata, { owner: DELEGATION_PROGRAM, data: new Uint8Array(80) })
      .put(deriveDelegationRecord(eata).address, { owner: DELEGATION_PROGRAM, data });
  }

  /** Removes the owner's eATA. */
  undelegate(owner: Address): void {
    const eata = deriveEata(owner, USDC_MINT).address;
    this.chain.accounts.delete(eata);
    this.chain.accounts.delete(deriveDelegationRecord(eata).address);
  }

  async run(args: object, caller = ANONYMOUS) {
    const { operation } = this;
    const input = operation.input.parse({ from: FROM, to: TO, mint: USDC_MINT, amount: 1_000_000, ...args });
    const result = await operation.run(input, caller);
    const output = operation.output.parse(result.output);
    const wire = new Uint8Array(Buffer.from(output.transactionBase64, 'base64'));
    return { ...result, output, transaction: decodeTransaction(wire) };
  }

  /** Builds and decodes the transaction. */
  async decode(args: object): Promise<Transaction> {
    return (await this.run(args)).transaction;
  }

  /** Returns the error of a rejected transfer. */
  async refusal(args: object): Promise<ServiceError> {
    const failure: unknown = await this.run(args).then(
      () => new Error('the transfer was built'),
      (error: unknown) => error,
    );
    if (isServiceError(failure)) return failure;
    throw failure;
  }

  /** Returns the codes of the warnings, each of which must have a sentence. */
  async warnings(args: object): Promise<string[] | undefined> {
    const { output, sentences } = await this.run(args);
    const spoken = sentences.filter((sentence) => sentence.startsWith('Before sending: '));
    expect(spoken).toHaveLength(output.warnings?.length ?? 0);
    return output.warnings?.map(({ code }) => code);
  }
}
