import { describe, expect, it } from 'vitest';
import { MapChain, MapRollup } from '../../test/ports/map-chain.ts';
import { recordErrors } from '../../test/conformance/running-service.ts';
import type { Chain } from '../chain/chain.ts';
import { ServiceError } from '../errors/service-error.ts';
import { TOKEN_PROGRAM, USDC_MINT } from '../programs/addresses.ts';
import type { Address } from '../solana/address.ts';
import { BaseReads } from './base-reads.ts';
import { createChainCalls, describeChain } from './chain-calls.ts';
import { LedgerMemory } from './ledger-memory.ts';
import { RemoteChain } from './remote-chain.ts';
import { RemoteRollup } from './remote-rollup.ts';
import { NO_VERSION } from './shared-version.ts';
import { connectChannels } from './testing/serialised-channels.ts';

const OWNER = '3iH1ViqSdcJTdpJgM71ZRRcgxhdrh3fWXizxq5H1i2Yb' as Address;

/** A chain, and the same as a worker has it. */
async function remote(chain: Chain, isFork = false) {
  const logger = recordErrors();
  let version = 0;
  let isQuiet = true;
  const channels = connectChannels(
    createChainCalls(chain, () => (isQuiet ? version : NO_VERSION)),
    logger,
  );
  const { client } = channels.worker;
  const facts = await describeChain(chain, isFork);
  const memory = new LedgerMemory(() => version);
  const reads = new BaseReads(client, memory, !isFork);
  const rollup = facts.rollup && new RemoteRollup(facts.rollup, client, reads);
  return {
    logger,
    sent: channels.sent,
    chain: new RemoteChain(facts, rollup, client, reads),
    beginChange: () => (isQuiet = false),
    change: () => {
      version += 1;
      isQuiet = true;
    },
  };
}

function localnet(): MapChain {
  const chain = new MapChain();
  chain.put(USDC_MINT, { owner: TOKEN_PROGRAM, data: Uint8Array.of(1, 2, 3), lamports: 2n ** 64n - 1n });
  chain.put(TOKEN_PROGRAM, { owner: OWNER, data: new Uint8Array(0), executable: true, rentEpoch: 0n });
  chain.put(OWNER, { owner: TOKEN_PROGRAM, data: Uint8Array.of(4, 5) });
  return chain;
}

describe('RemoteChain', () => {
  it('is what the chain is', async () => {
    const origin = localnet();
    origin.rollup = new MapRollup();
    const { chain } = await remote(origin);
    for (const fact of ['cluster', 'network', 'layout', 'defaultMint', 'transferLookupTable'] as const) {
      expect(chain[fact]).toBe(origin[fact]);
    }
    expect(await chain.validatorIdentity()).toBe(await origin.validatorIdentity());
    expect(await chain.rollup?.identity()).toBe(await origin.rollup.identity());
    expect(chain.rollup?.publicUrl).toBe(origin.rollup.publicUrl);
    expect(chain.rollup?.auth === null).toBe(origin.rollup.auth === null);
    expect(chain.rollup?.queueTask === undefined).toBe(origin.rollup.queueTask === undefined);
    expect(chain.rollup?.isSettling === undefined).toBe(origin.rollup.isSettling === undefined);
  });

  it('reads accounts as they are, absent ones and empty ones among them', async () => {
    const origin = localnet();
    const { chain } = await remote(origin);
    const addresses = [
      USDC_MINT,
      'SysvarC1ock11111111111111111111111111111111' as Address,
      TOKEN_PROGRAM,
      OWNER,
    ];
    const accounts = await chain.getAccounts(addresses);
    expect(accounts.map((account) => account && { ...account, data: [...account.data] })).toEqual(
      (await origin.getAccounts(addresses)).map(
        (account) => account && { ...account, data: [...account.data] },
      ),
    );
    expect(await chain.getAccounts([])).toEqual([]);
  });

  it('sends what is asked in one turn in one message, and asks nothing twice while nothing changes', async () => {
    const { chain, sent } = await remote(localnet());
    await Promise.all([chain.getAccounts([OWNER]), chain.getAccounts([USDC_MINT]), chain.blockHeight()]);
    expect(sent).toHaveLength(1);
    await Promise.all([chain.getAccounts([USDC_MINT, OWNER]), chain.latestBlockhash()]);
    expect(sent).toHaveLength(1);
  });

  it('reads in one call what goes in one message, for requests that came in several turns, too', async () => {
    const origin = localnet();
    let reads = 0;
    const read = origin.getAccounts.bind(origin);
    origin.getAccounts = (addresses) => {
      reads += 1;
      return read(addresses);
    };
    const { chain } = await remote(origin);
    const underWay = chain.blockHeight();
    await new Promise(process.nextTick);
    const asked = [[OWNER], [], [USDC_MINT, OWNER]];
    const answers: Promise<unknown>[] = [];
    for (const addresses of asked) {
      answers.push(chain.getAccounts(addresses));
      await Promise.resolve();
    }
    await underWay;
    const found = (await Promise.all(answers)) as { data: Uint8Array }[][];
    expect(found.map((accounts) => accounts.map(({ data }) => [...data]))).toEqual([
      [[4, 5]],
      [],
      [
        [1, 2, 3],
        [4, 5],
      ],
    ]);
    expect(reads).toBe(1);
  });

  it('has no read wait for another where those of a fork take their time', async () => {
    const origin = localnet();
    const read = origin.getAccounts.bind(origin);
    let go: (() => void) | undefined;
    origin.getAccounts = async (addresses) => {
      if (addresses[0] === USDC_MINT) await new Promise<void>((resolve) => (go = resolve));
      return read(addresses);
    };
    const { chain } = await remote(origin, true);
    const slow = chain.getAccounts([USDC_MINT]);
    expect(await chain.getAccounts([OWNER])).toHaveLength(1);
    go?.();
    expect(await slow).toHaveLength(1);
  });

  it('asks for a blockhash once for all that are built in the next moment', async () => {
    const { chain, sent } = await remote(localnet());
    await chain.latestBlockhash();
    await chain.latestBlockhash();
    expect(sent).toHaveLength(1);
  });

  it('asks for a blockhash again after a change: the ledger may have another time, or be another one', async () => {
    const origin = localnet();
    const { chain, sent, change } = await remote(origin);
    await chain.latestBlockhash();
    const late = chain.latestBlockhash();
    change();
    await late;
    await new Promise(setImmediate);
    await chain.latestBlockhash();
    expect(sent).toHaveLength(2);
  });

  it('remembers nothing that was read between a change and its being noted', async () => {
    const { chain, sent, beginChange, change } = await remote(localnet());
    beginChange();
    await chain.getAccounts([OWNER]);
    await chain.getAccounts([OWNER]);
    expect(sent).toHaveLength(2);
    change();
    await chain.getAccounts([OWNER]);
    await chain.getAccounts([OWNER]);
    expect(sent).toHaveLength(3);
  });

  it('holds back what is asked while a message is under way, and sends it together', async () => {
    const { chain, sent } = await remote(localnet());
    const first = chain.blockHeight();
    await new Promise(process.nextTick);
    const others: Promise<unknown>[] = [];
    for (let turn = 0; turn < 3; turn++) {
      others.push(chain.signatureStatus('a'));
      await Promise.resolve();
    }
    await Promise.all([first, ...others]);
    expect(sent.map((message) => (message.kind === 'calls' ? message.calls.length : 0))).toEqual([1, 3]);
  });

  it('goes on while an answer takes its time', async () => {
    const origin = localnet();
    let answer: ((signature: string) => void) | undefined;
    origin.sendTransaction = () => new Promise((resolve) => (answer = resolve));
    const { chain } = await remote(origin);
    const signature = chain.sendTransaction(Uint8Array.of(1));
    expect(await chain.blockHeight()).toBe(1_000);
    answer?.('done');
    expect(await signature).toBe('done');
  });

  it('sees a change at once', async () => {
    const origin = localnet();
    const { chain, change } = await remote(origin);
    await chain.getAccounts([OWNER]);
    origin.put(OWNER, { owner: TOKEN_PROGRAM, data: Uint8Array.of(9) });
    change();
    await new Promise(setImmediate);
    const [account] = await chain.getAccounts([OWNER]);
    expect([...(account?.data ?? [])]).toEqual([9]);
  });

  it('remembers nothing that was read before a change it knows of', async () => {
    const origin = localnet();
    const { chain, change } = await remote(origin);
    const read = origin.getAccounts.bind(origin);
    origin.getAccounts = async (addresses) => {
      const found = await read(addresses);
      change();
      return found;
    };
    await chain.getAccounts([OWNER]);
    origin.getAccounts = read;
    origin.put(OWNER, { owner: TOKEN_PROGRAM, data: Uint8Array.of(9) });
    const [account] = await chain.getAccounts([OWNER]);
    expect([...(account?.data ?? [])]).toEqual([9]);
  });

  it('fails as the chain does, with code, message and context', async () => {
    const origin = localnet();
    const context = { reason: 'BlockhashNotFound', list: ['a'] };
    origin.sendTransaction = () =>
      Promise.reject(
        new ServiceError('TRANSACTION_FAILED', 'refused', context, { cause: new Error('canary') }),
      );
    const { chain, logger } = await remote(origin);
    const error = await chain.sendTransaction(Uint8Array.of(1)).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ServiceError);
    expect(error).toMatchObject({ code: 'TRANSACTION_FAILED', message: 'refused', context });
    expect(logger.lines).toEqual([]);
  });

  it('tells nothing of a bug but the log of its own process', async () => {
    const origin = localnet();
    origin.sendTransaction = () => Promise.reject(new Error('canary'));
    const { chain, logger } = await remote(origin);
    const error = await chain.sendTransaction(Uint8Array.of(1)).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(Error);
    expect(error).not.toBeInstanceOf(ServiceError);
    expect(String(error)).not.toContain('canary');
    expect(logger.lines).toHaveLength(1);
    expect(logger.lines.join()).not.toContain('canary');
  });
});

describe('RemoteRollup', () => {
  it('knows its own blockhashes, and not those of base', async () => {
    const origin = localnet();
    const rollup = Object.assign(new MapRollup(), { blockhash: OWNER });
    origin.rollup = rollup;
    const { chain } = await remote(origin);
    const known = [origin.blockhash, rollup.blockhash].map(async (blockhash) => [
      await chain.isBlockhashValid(blockhash),
      await chain.rollup?.isBlockhashValid(blockhash),
    ]);
    expect(await Promise.all(known)).toEqual([
      [true, false],
      [false, true],
    ]);
  });

  it('remembers that an eATA is not settling, and not that it is', async () => {
    const origin = localnet();
    const rollup = new MapRollup();
    let isSettling = true;
    let asked = 0;
    origin.rollup = Object.assign(rollup, {
      isSettling: async () => {
        asked += 1;
        return isSettling;
      },
    });
    const { chain, change } = await remote(origin);
    const ask = () => chain.rollup?.isSettling?.(OWNER);
    expect([await ask(), await ask(), asked]).toEqual([true, true, 2]);
    isSettling = false;
    expect([await ask(), await ask(), asked]).toEqual([false, false, 3]);
    isSettling = true;
    change();
    await new Promise(setImmediate);
    expect(await ask()).toBe(true);
  });

  it("passes the caller's token on with what is asked", async () => {
    const origin = localnet();
    const rollup = new MapRollup();
    origin.rollup = rollup;
    const { chain } = await remote(origin);
    await chain.rollup?.latestBlockhash('token');
    expect(rollup.blockhashTokens).toEqual(['token']);
  });

  it('finds accounts as the chain does, and cannot where the chain cannot', async () => {
    const origin = localnet();
    const { chain } = await remote(origin);
    const search = { program: TOKEN_PROGRAM, byteCount: 3 };
    const found = (await chain.searchAccounts?.(search)) ?? [];
    expect(found.map(({ address, account }) => [address, [...account.data]])).toEqual([
      [USDC_MINT, [1, 2, 3]],
    ]);
    expect(await chain.searchAccounts?.({ ...search, byteCount: 4 })).toEqual([]);
    const closed = await remote(Object.assign(localnet(), { searchAccounts: undefined }));
    expect(closed.chain.searchAccounts).toBeUndefined();
  });
});
