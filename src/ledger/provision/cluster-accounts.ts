import { z } from 'zod';
import { createHttpTransport } from '../../chain/upstream/http-transport.ts';
import { accountsAnswer } from '../../chain/upstream/rpc-answers.ts';
import { RpcClient } from '../../chain/upstream/rpc-client.ts';
import { ACCOUNTS_MAX } from '../../chain/upstream/rpc-ledger-client.ts';
import { systemTimer, type Timer } from '../../ports/timer.ts';
import type { Transport } from '../../chain/upstream/transport.ts';
import { Upstream } from '../../chain/upstream/upstream.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Random } from '../../ports/random.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';

/** Where accounts are copied from. */
export interface AccountSource {
  /**
   * The accounts at these addresses, in the same order; null where there is none.
   *
   * @throws {ServiceError} UPSTREAM_* when that cannot be determined.
   */
  getAccounts(addresses: readonly Address[]): Promise<readonly (Account | null)[]>;
}

/** A source that holds connections. */
export interface ClusterAccounts extends AccountSource {
  /**
   * The slot the cluster is at.
   *
   * @throws {ServiceError} UPSTREAM_* when that cannot be determined.
   */
  slot(): Promise<number>;
  close(): void;
}

/** What {@link openClusterAccounts} gets from outside. */
interface ClusterAccountsPorts {
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** Left out, the machine's. */
  readonly timer?: Timer;
}

/**
 * Largest answer that is read, bytes. The code of a program may have 10 MiB (`MAX_PERMITTED_DATA_LENGTH`), 14
 * MB in base64, and several may be asked for at once.
 */
const ANSWER_BYTES_MAX = 128 * 1024 * 1024;

/** How long an answer of that size may take, ms. */
const ANSWER_MS_MAX = 60_000;

/**
 * Accounts of a cluster as others have settled on them. Nothing is connected to before it is used.
 *
 * @param name what it is called in errors, which do not repeat the URL.
 */
export function openClusterAccounts(
  url: URL,
  ports: ClusterAccountsPorts,
  name = 'the cluster of --url',
): ClusterAccounts {
  const transport = patient(createHttpTransport());
  const upstream = new Upstream(name, [url], { timer: systemTimer, ...ports, transport });
  const rpc = new RpcClient(upstream, 'nowhere');
  return {
    async getAccounts(addresses) {
      const accounts: (Account | null)[] = [];
      for (let from = 0; from < addresses.length; from += ACCOUNTS_MAX) {
        accounts.push(...(await readBatch(rpc, addresses.slice(from, from + ACCOUNTS_MAX))));
      }
      return accounts;
    },
    slot: () =>
      rpc.read({ method: 'getSlot', params: [{ commitment: 'confirmed' }], result: z.int().min(0) }),
    close: () => transport.close(),
  };
}

async function readBatch(
  rpc: RpcClient,
  addresses: readonly Address[],
): Promise<readonly (Account | null)[]> {
  const { value } = await rpc.read({
    method: 'getMultipleAccounts',
    params: [addresses, { commitment: 'confirmed', encoding: 'base64' }],
    result: accountsAnswer,
    isUsable: (answer) => answer.value.length === addresses.length,
    answerBytesMax: ANSWER_BYTES_MAX,
  });
  return value;
}

/** Gives large answers the time they take. */
function patient(transport: Transport): Transport {
  return {
    send: (request) => transport.send({ ...request, timeoutMs: ANSWER_MS_MAX }),
    close: () => transport.close(),
  };
}
