import { ServiceError } from '../errors/service-error.ts';
import {
  type Machine,
  NATIVE_PLATFORMS,
  nativePackageFor,
  thisMachine,
} from '../ledger/engine/native-package.ts';

/** What {@link assertEngineLoads} looks at. */
export interface NativeEngineOptions {
  /** Loads the binary. */
  readonly load?: () => Promise<unknown>;
  readonly machine?: Machine;
}

/**
 * Checks that the VM can be loaded, before anything that needs it.
 *
 * @throws {ServiceError} ENGINE_UNAVAILABLE.
 */
export async function assertEngineLoads({
  load = () => import('../ledger/engine/native-litesvm.ts'),
  machine = thisMachine,
}: NativeEngineOptions = {}): Promise<void> {
  try {
    await load();
  } catch (cause) {
    const { platform } = machine;
    const name = nativePackageFor(machine);
    const message =
      name === null
        ? `There is none for ${platform}: run it on ${[...NATIVE_PLATFORMS.values()].join(', ')}, or in a container or WSL on one of them`
        : `The npm package ${name} is not installed or does not load: install this program again (in the project's folder: run npm ci), without --omit=optional`;
    throw new ServiceError('ENGINE_UNAVAILABLE', message, { platform }, { cause });
  }
}
