import { setTimeout as sleep } from 'node:timers/promises';
import { EPHEMERAL_TOKEN_PROGRAM, TOKEN_PROGRAM } from '../../src/programs/addresses.ts';
import { deriveDelegationRecord, deriveMagicFeeVault } from '../../src/programs/delegation/pdas.ts';
import type { Address } from '../../src/solana/address.ts';
import { callRpc, CallTimedOut } from './rpc.ts';
import type { ValidatorVersion } from './versions.ts';

/** A validator that was started. */
interface Starting {
  readonly url: string;
  readonly baseUrl: string;
  readonly version: ValidatorVersion;
  /** How long each call may take, ms. */
  readonly callMsMax: number;
  /** Whether it has ended: then nothing is waited for. */
  readonly hasEnded: () => boolean;
}

const READY_TIMEOUT_MS = 20_000;
/** Long enough for it to look at its base chain, which it does after it has said that it is well. */
const SETTLED_MS = 300;
/**
 * A program that was fetched from the base chain can be run from the next slot on; one more for good measure.
 */
const WARM_UP_SLOTS = 2;

/**
 * Waits until transactions can run on it; answers its key. It says `ok` before it has looked at its base
 * chain, and knows no program before it was asked for it; the first transaction would fail.
 *
 * @throws {CallTimedOut} when it leaves a call unanswered; {Error} when it is not ready after 20 seconds, or
 *   has ended.
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

/** What an answer to getAccountInfo says without its data. */
interface Found {
  readonly value: { readonly executable: boolean } | null;
}

const CONFIG = { encoding: 'base64', dataSlice: { offset: 0, length: 0 }, commitment: 'confirmed' };

async function exists(url: string, account: Address): Promise<boolean> {
  return (await callRpc<Found>(url, 'getAccountInfo', [account, CONFIG])).value !== null;
}

/** One that refuses connections or answers with an error may be starting; one that is silent hangs. */
function isNotYet(error: unknown): false {
  if (error instanceof CallTimedOut) throw error;
  return false;
}
