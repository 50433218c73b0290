import type { AccountSearch, FoundAccount, SimulationResult } from '../../src/chain/chain.ts';
import type { Account } from '../../src/solana/account.ts';
import { type Address, isAddressAt } from '../../src/solana/address.ts';
import type { ProgramVm } from '../program-vm.ts';
import { MapChain } from './map-chain.ts';

/** Localnet with the accounts of a virtual machine, so operations see the effects of the programs. */
export class VmChain extends MapChain {
  readonly #vm: ProgramVm;

  constructor(vm: ProgramVm) {
    super();
    this.#vm = vm;
  }

  override getAccounts(addresses: readonly Address[]): Promise<(Account | null)[]> {
    return Promise.resolve(addresses.map((address) => this.#vm.account(address)));
  }

  override searchAccounts({ program, byteCount, having }: AccountSearch): Promise<FoundAccount[]> {
    const owned = this.#vm.accountsOf(program).map(([address, account]) => ({ address, account }));
    return Promise.resolve(
      owned.filter(
        ({ account: { data } }) =>
          data.length === byteCount &&
          (having === undefined || isAddressAt(data, having.offset, having.address)),
      ),
    );
  }

  override simulateTransaction(wire: Uint8Array, watch: readonly Address[]): Promise<SimulationResult> {
    const { logs, accounts } = this.#vm.try(wire);
    if (typeof accounts === 'string') {
      return Promise.resolve({ err: accounts, logs, computeUnits: null, accounts: null });
    }
    const after = watch.map((address) => accounts.get(address) ?? this.#vm.account(address));
    return Promise.resolve({ err: null, logs, computeUnits: null, accounts: after });
  }
}
