import { describe, expect, it } from 'vitest';
import type { PrivatePayments } from '../../src/client/index.ts';
import { decodeBase58 } from '../parts/encodings.ts';
import { areStored, deleteStoredWallets, storeWallets, restoreWallets } from './stored-wallets.ts';
import { makeKeypair, readKeypair } from './keypair.ts';
import { LoginRefused } from './login.ts';
import { createWallets } from './wallets.ts';
import { memoryStorage } from '../testing/memory-storage.ts';

const NOW_MS = 1_795_303_947_000;

/** A service whose challenge is for `user`. */
function service(user: (pubkey: string) => string = (pubkey) => pubkey, expiresAt = NOW_MS / 1_000 + 86_400) {
  const signed: { readonly challenge: string; readonly signature: string }[] = [];
  const api = {
    challenge: async ({ pubkey }: { readonly pubkey: string }) => ({
      challenge: `Login to Query Filtering Service\nTimestamp: ${NOW_MS / 1_000}\nUser: ${user(pubkey)}`,
    }),
    login: async (input: { readonly challenge: string; readonly signature: string }) => {
      signed.push(input);
      return { token: 'token', expiresAt };
    },
  } as unknown as PrivatePayments;
  return { api, signed };
}

/** A timer that does not run out. */
const never = (): void => undefined;

describe('a wallet of the tab', () => {
  it('logs in by signing the exact challenge, and has a token until a minute before it expires', async () => {
    const { api, signed } = service();
    let nowMs = NOW_MS;
    const wallets = createWallets(api, () => nowMs, never);
    const key = await makeKeypair();
    wallets.add('Alice', key);
    expect(wallets.tokenOf(key.address)).toBeNull();
    await wallets.logIn(key.address);
    expect(wallets.tokenOf(key.address)).toBe('token');
    const [login] = signed;
    const text = new TextEncoder().encode(login?.challenge);
    expect(decodeBase58(login?.signature ?? '')).toEqual(await key.sign(text));
    nowMs += 86_400_000 - 60_000;
    expect(wallets.tokenOf(key.address)).toBeNull();
  });

  it('signs at the first press even if the text was read for more than a minute: the same text with the current time', async () => {
    const { api, signed } = service();
    const wallets = createWallets(api, () => NOW_MS, never);
    const key = await makeKeypair();
    wallets.add('Alice', key);
    const now = (await api.challenge({ pubkey: key.address })).challenge;
    const read = now.replace(`${NOW_MS / 1_000}`, `${NOW_MS / 1_000 - 61}`);
    await wallets.logIn(key.address, read);
    expect(signed[0]?.challenge).toBe(now);
    const { challenge, signature } = await wallets.sign(key.address, read, async () => now);
    expect([challenge, signature]).toEqual([now, signed[0]?.signature]);
    const other = `Pay\n${now}`;
    await expect(wallets.sign(key.address, read, async () => other)).rejects.toBeInstanceOf(LoginRefused);
  });

  it('signs no challenge of another wallet', async () => {
    const { api, signed } = service(() => 'fMcdsQywrepbAKceAoHym7yJHX6UcNbpVYAUYELuDhP');
    const wallets = createWallets(api, () => NOW_MS, never);
    const key = await makeKeypair();
    wallets.add('Alice', key);
    await expect(wallets.logIn(key.address)).rejects.toBeInstanceOf(LoginRefused);
    expect([signed, wallets.tokenOf(key.address)]).toEqual([[], null]);
  });

  it('is logged out when its token counts as expired, however long that takes', async () => {
    let nowMs = NOW_MS;
    const timers: { readonly ms: number; readonly run: () => void }[] = [];
    const days = 40;
    const wallets = createWallets(
      service(undefined, NOW_MS / 1_000 + days * 86_400).api,
      () => nowMs,
      (ms, run) => void timers.push({ ms, run }),
    );
    const key = await makeKeypair();
    wallets.add('Alice', key);
    await wallets.logIn(key.address);
    const waits: number[] = [];
    for (let timer = timers.shift(); timer !== undefined; timer = timers.shift()) {
      expect(wallets.all.value[0]?.login).not.toBeNull();
      waits.push(timer.ms);
      nowMs += timer.ms;
      timer.run();
    }
    expect(wallets.all.value[0]?.login).toBeNull();
    expect(Math.max(...waits)).toBeLessThan(2 ** 31);
    expect(waits.reduce((sum, ms) => sum + ms)).toBe(days * 86_400_000 - 60_000);
  });

  it('that logs in again keeps the new login when the old one expires', async () => {
    const timers: (() => void)[] = [];
    let nowMs = NOW_MS;
    const { api } = service();
    const wallets = createWallets(
      api,
      () => nowMs,
      (_, run) => void timers.push(run),
    );
    const key = await makeKeypair();
    wallets.add('Alice', key);
    await wallets.logIn(key.address);
    await wallets.logIn(key.address);
    nowMs += 86_400_000;
    timers[0]?.();
    expect(wallets.all.value[0]?.login).not.toBeNull();
  });

  it('has no token after it logs out', async () => {
    const wallets = createWallets(service().api, () => NOW_MS, never);
    const key = await makeKeypair();
    wallets.add('Alice', key);
    await wallets.logIn(key.address);
    wallets.logOut(key.address);
    expect([wallets.tokenOf(key.address), wallets.names.value.get(key.address)]).toEqual([null, 'Alice']);
  });
});

describe('keys', () => {
  it('are restored from storage with the same address and signatures', async () => {
    const key = await makeKeypair();
    const back = await readKeypair(await key.serialize());
    const message = Uint8Array.of(1, 2, 3);
    expect(back.address).toBe(key.address);
    expect(await back.sign(message)).toEqual(await key.sign(message));
  });

  it('are stored only on request, without tokens, and can be deleted', async () => {
    const place = memoryStorage();
    const wallets = createWallets(service().api, () => NOW_MS, never);
    wallets.add('Alice', await makeKeypair());
    wallets.add('Bob', await makeKeypair());
    const [alice] = wallets.all.value;
    await wallets.logIn(alice?.key.address ?? '');
    expect([place.kept.size, areStored(place)]).toEqual([0, false]);
    await storeWallets(wallets, place);
    expect(areStored(place)).toBe(true);
    expect([...place.kept.values()].join()).not.toContain('token');
    const others = createWallets(service().api, () => NOW_MS, never);
    expect(await restoreWallets(others, place)).toBe(2);
    expect(others.names.value).toEqual(wallets.names.value);
    deleteStoredWallets(place);
    expect(place.kept.size).toBe(0);
  });

  it('that cannot be read are left unchanged, and are not used', async () => {
    const place = memoryStorage();
    const wallets = createWallets(service().api, () => NOW_MS, never);
    wallets.add('Alice', await makeKeypair());
    await storeWallets(wallets, place);
    for (const [name] of place.kept) place.kept.set(name, '[{"name":"Alice","key":"no key"}]');
    const others = createWallets(service().api, () => NOW_MS, never);
    expect(await restoreWallets(others, place)).toBeNull();
    expect([others.all.value, areStored(place)]).toEqual([[], true]);
  });
});
