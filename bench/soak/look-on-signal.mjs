// Loaded into the measured process: SIGUSR2 has it collect all garbage and tell, by the file that
// `SOAK_LOOK_FILE` names, what V8 then has in RAM.
import { renameSync, writeFileSync } from 'node:fs';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Longer than V8 takes to give pages back, which another of its threads does, ms. */
const GIVING_BACK_MS = 1_000;

/** Of these V8 has twice what it lets be filled, whatever is alive in them. */
const YOUNG = new Set(['new_space', 'new_large_object_space']);

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');
process.on('SIGUSR2', () => {
  // Twice: V8 empties sparsely filled pages by what the collection before has found alive on them. After a
  // single one, half of the old space's pages may be garbage of the time since the last.
  collect();
  collect();
  setTimeout(tell, GIVING_BACK_MS);
});

function tell() {
  const look = { objects: 0, young: 0, old: 0 };
  for (const space of getHeapSpaceStatistics()) {
    look.objects += space.space_used_size;
    look[YOUNG.has(space.space_name) ? 'young' : 'old'] += space.physical_space_size;
  }
  const path = process.env.SOAK_LOOK_FILE;
  writeFileSync(`${path}.new`, JSON.stringify(look));
  renameSync(`${path}.new`, path);
}
