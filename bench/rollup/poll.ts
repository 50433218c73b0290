import { setTimeout as sleep } from 'node:timers/promises';
import { call } from '../call.ts';

/** Asks again and again until it is so; without a pause, where none is given: an answer takes about 1 ms. */
export async function until(isSo: () => Promise<boolean>, pauseMs = 0): Promise<void> {
  const TIMEOUT_MS = 20_000;
  const deadlineMs = performance.now() + TIMEOUT_MS;
  while (!(await isSo())) {
    if (performance.now() > deadlineMs) throw new Error(`not so after ${TIMEOUT_MS} ms: ${isSo.toString()}`);
    if (pauseMs > 0) await sleep(pauseMs);
  }
}

export async function latestBlockhash(url: string): Promise<string> {
  return (await call<{ value: { blockhash: string } }>(url, 'getLatestBlockhash')).value.blockhash;
}

/** Whether a transaction is confirmed. @throws {Error} when it failed. */
export async function hasSucceeded(url: string, signature: string): Promise<boolean> {
  const { value } = await call<{ value: ({ err: unknown; confirmationStatus: string } | null)[] }>(
    url,
    'getSignatureStatuses',
    [[signature]],
  );
  const [status] = value;
  if (status?.err) throw new Error(`${signature} failed: ${JSON.stringify(status.err)}`);
  return status?.confirmationStatus === 'confirmed' || status?.confirmationStatus === 'finalized';
}

/** Base units in a token account. */
export async function balanceOf(url: string, tokenAccount: string): Promise<number> {
  const { value } = await call<{ value: { amount: string } }>(url, 'getTokenAccountBalance', [tokenAccount]);
  return Number(value.amount);
}

/** The program that owns an account; undefined where there is none. */
export async function ownerOf(url: string, address: string): Promise<string | undefined> {
  const config = { encoding: 'base64', dataSlice: { offset: 0, length: 0 } };
  return (await call<{ value: { owner: string } | null }>(url, 'getAccountInfo', [address, config])).value
    ?.owner;
}
