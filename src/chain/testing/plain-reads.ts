import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import { accountsAnswer } from '../upstream/rpc-answers.ts';
import { RpcClient } from '../upstream/rpc-client.ts';
import { SlotFloor } from '../upstream/slot-floor.ts';
import { ACCOUNTS_MAX } from '../upstream/rpc-ledger-client.ts';
import { Upstream, type UpstreamPorts } from '../upstream/upstream.ts';

/**
 * Reads accounts in the simplest way: one call per request, parsed and checked like any other JSON. Shared
 * reads are compared with it.
 */
export class PlainReads {
  readonly #rpc: RpcClient;

  constructor(urls: readonly URL[], ports: UpstreamPorts) {
    this.#rpc = new RpcClient(
      new Upstream('the ledger', urls, ports),
      'query',
      new SlotFloor(ports.clock, 400),
    );
  }

  async getAccounts(addresses: readonly Address[], token?: string): Promise<readonly (Account | null)[]> {
    const accounts: (Account | null)[] = [];
    while (accounts.length < addresses.length) {
      const part = addresses.slice(accounts.length, accounts.length + ACCOUNTS_MAX);
      const { value } = await this.#rpc.read({
        method: 'getMultipleAccounts',
        params: [part],
        commitment: 'confirmed',
        config: { encoding: 'base64' },
        result: accountsAnswer,
        isUsable: (read) => read.value.length === part.length,
        answerBytesMax: 2 * 1024 * 1024,
        token,
      });
      accounts.push(...value);
    }
    return accounts;
  }
}
