import { setTimeout as sleep } from 'node:timers/promises';
import { EPHEMERAL_TOKEN_PROGRAM, TOKEN_PROGRAM } from '../../src/programs/addresses.ts';
import { deriveDelegationRecord, deriveMagicFeeVault } from '../../src/programs/delegation/pdas.ts';
import type { Address } from '../../src/solana/address.ts';
import { callRpc, CallTimedOut } from './rpc.ts';
import type { ValidatorVersion } from './versions.ts';

/** A validator that is starting. */
interface Starting {
  readonly url: string;
  readonly baseUrl: string;
  readonly version: ValidatorVersion;
  /** Timeout for each call, ms. */
  readonly callMsMax: number;
  /** Returns whether the validator has ended, which ends the wait. */
  readonly hasEnded: () => boolean;
}

const READY_TIMEOUT_MS = 20_000;
/** Time for the validator's check of the base chain after its first `ok`, ms. */
const SETTLED_MS = 300;
/**
 * Slots until a program that was fetched from the base chain can run. One is needed; the other is a margin.
 */
const WARM_UP_SLOTS = 2;

/**
 * Waits until transactions can run on a validator, and returns its key. The first transaction would fail
 * right after the first `ok`: the validator then still needs to check its base chain, and fetches programs
 * only on request.
 *
 * @throws {CallTimedOut} if it does not answer a call.
 * @throws {Error} if it has ended, or is not ready after 20 seconds.
 */
export async function becomeReady(validator: Starting): Promise<string> {
  const { url, baseUrl, version, callMsMax, hasEnded } = validator;
  const deadlineMs = performance.now() + READY_TIMEOUT_MS;
  const ask = <T>(method: string, params: readonly unknown[] = []): Promise<T> =>
    callRpc<T>(url, method, params, callMsMax);
  const until = async (isSo: () => Promise<boolean>, what: string): Promise<void> => {
    while (!(await isSo().catch(isNotYet))) {
      if (hasEnded()) throw new Error('it has ended');
      if (performance.now() > deadlineMs) throw new Error(`after ${READY_TIMEOUT_MS} ms ${what}`);
      await sleep(20);
    }
  };
  await until(async () => (await ask('getHealth')) === 'ok', 'getHealth is not ok');
  const { identity } = await ask<{ identity: Address }>('getIdentity');
  if (version.hasMagicFeeVault) {
    const record = deriveDelegationRecord(deriveMagicFeeVault(identity).address).address;
    await until(() => exists(baseUrl, record), 'its magic fee vault is not delegated on its base chain');
  } else {
    await sleep(SETTLED_MS);
  }
  for (const program of [TOKEN_PROGRAM, EPHEMERAL_TOKEN_PROGRAM]) {
    const isThere = async () => (await ask<Found>('getAccountInfo', [program, CONFIG])).value?.executable;
    await until(async () => (await isThere()) === true, `it has not got ${program} from its base chain`);
  }
  const slot = await ask<number>('getSlot');
  await until(async () => (await ask<number>('getSlot')) > slot + WARM_UP_SLOTS, 'its slots stand');
  return identity;
}

/** The used part of a getAccountInfo response. */
interface Found {
  readonly value: { readonly executable: boolean } | null;
}

const CONFIG = { encoding: 'base64', dataSlice: { offset: 0, length: 0 }, commitment: 'confirmed' };

async function exists(url: string, account: Address): Promise<boolean> {
  return (await callRpc<Found>(url, 'getAccountInfo', [account, CONFIG])).value !== null;
}

/** Ignores refused connections and error responses: the validator may be starting. A timeout is a hang. */
function isNotYet(error: unknown): false {
  if (error instanceof CallTimedOut) throw error;
  return false;
}
