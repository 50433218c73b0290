import { z } from 'zod';
import { createHttpTransport } from '../../chain/upstream/http-transport.ts';
import { accountsAnswer } from '../../chain/upstream/rpc-answers.ts';
import { RpcClient } from '../../chain/upstream/rpc-client.ts';
import { ACCOUNTS_MAX } from '../../chain/upstream/rpc-ledger-client.ts';
import type { Transport } from '../../chain/upstream/transport.ts';
import { Upstream } from '../../chain/upstream/upstream.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Random } from '../../ports/random.ts';
import { systemTimer, type Timer } from '../../ports/timer.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import { LASTING } from '../../solana/commitment.ts';

/** The source accounts are copied from. */
export interface AccountSource {
  /**
   * The accounts at these addresses, in the same order; null for absent ones.
   *
   * @throws {ServiceError} UPSTREAM_* if they cannot be read.
   */
  getAccounts(addresses: readonly Address[]): Promise<readonly (Account | null)[]>;
}

/** A source that owns connections. */
export interface ClusterAccounts extends AccountSource {
  /**
   * The current slot of the cluster.
   *
   * @throws {ServiceError} UPSTREAM_* if it cannot be read.
   */
  slot(): Promise<number>;
  close(): void;
}

/** External dependencies of {@link openClusterAccounts}. */
interface ClusterAccountsPorts {
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** Defaults to the system timer. */
  readonly timer?: Timer;
}

/**
 * Largest answer, bytes. The code of a program may have 10 MiB (`MAX_PERMITTED_DATA_LENGTH`), 14 MB in
 * base64, and one request may ask for several.
 */
const ANSWER_BYTES_MAX = 128 * 1024 * 1024;

/** Time limit of an answer of that size, ms. */
const ANSWER_MS_MAX = 60_000;

/**
 * Confirmed accounts of a cluster. No connection is opened before it is needed.
 *
 * @param name names the cluster in errors, which do not repeat the URL.
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
    slot: () => rpc.read({ method: 'getSlot', params: [{ commitment: LASTING }], result: z.int().min(0) }),
    close: () => transport.close(),
  };
}

async function readBatch(
  rpc: RpcClient,
  addresses: readonly Address[],
): Promise<readonly (Account | null)[]> {
  const { value } = await rpc.read({
    method: 'getMultipleAccounts',
    params: [addresses, { commitment: LASTING, encoding: 'base64' }],
    result: accountsAnswer,
    isUsable: (answer) => answer.value.length === addresses.length,
    answerBytesMax: ANSWER_BYTES_MAX,
  });
  return value;
}

/** Raises the time limit for large answers. */
function patient(transport: Transport): Transport {
  return {
    send: (request) => transport.send({ ...request, timeoutMs: ANSWER_MS_MAX }),
    close: () => transport.close(),
  };
}
