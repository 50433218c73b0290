import type { Profile, States } from './profile.ts';

/** Most profiles kept (Surfpool `DEFAULT_PROFILING_MAP_CAPACITY`), and most bytes of account data in them. */
const PROFILES_MAX = 200;
const BYTES_MAX = 64 * 1024 * 1024;

interface Kept {
  readonly profile: Profile;
  readonly tag: string | undefined;
  readonly bytes: number;
}

/** The newest profiles, by key and by tag. */
export class ProfileShelf {
  readonly #kept = new Map<string, Kept>();
  #bytes = 0;

  /** Adds a profile and drops the oldest ones beyond the limits. The newest is kept whatever its size. */
  keep(profile: Profile, tag: string | undefined): void {
    const bytes = bytesOf(profile);
    this.#kept.set(profile.key, { profile, tag, bytes });
    this.#bytes += bytes;
    for (const [key, oldest] of this.#kept) {
      if (this.#kept.size <= PROFILES_MAX && this.#bytes <= BYTES_MAX) break;
      if (key === profile.key) break;
      this.#kept.delete(key);
      this.#bytes -= oldest.bytes;
    }
  }

  get(key: string): Profile | undefined {
    return this.#kept.get(key)?.profile;
  }

  /** Oldest first. */
  tagged(tag: string): readonly Profile[] {
    return [...this.#kept.values()].filter((kept) => kept.tag === tag).map(({ profile }) => profile);
  }
}

function bytesOf({ readonlyStates, transaction, instructions }: Profile): number {
  const runs = [transaction, ...instructions];
  const states = [readonlyStates, ...runs.flatMap(({ before, after }) => [before, after])];
  return states.reduce((sum, each) => sum + dataBytes(each), 0);
}

function dataBytes(states: States): number {
  let bytes = 0;
  for (const account of states.values()) bytes += account?.data.length ?? 0;
  return bytes;
}
