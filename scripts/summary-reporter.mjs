/**
 * A vitest reporter that prints nothing: it leaves what a run came to in the file TESTS_SUMMARY, as JSON: how
 * many tests `passed` and `failed` in how many `files`, which files failed (`failedFiles`), which did not come
 * to their end as the process that ran them died (`brokenOffFiles`), and of those that were left out (`skipped`)
 * the name and the reason.
 */
import { writeFileSync } from 'node:fs';

export default class SummaryReporter {
  onTestRunEnd(modules) {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const namesOf = (some) => some.map((module) => module.relativeModuleId);
    const inState = (state) => tests.filter((test) => test.result().state === state);
    const summary = {
      files: modules.length,
      passed: inState('passed').length,
      failed: inState('failed').length,
      failedFiles: namesOf(modules.filter((module) => !module.ok())),
      brokenOffFiles: namesOf(modules.filter((module) => ['pending', 'queued'].includes(module.state()))),
      skipped: inState('skipped').map((test) => ({
        name: `${test.module.relativeModuleId} > ${test.fullName}`,
        reason: test.result().note ?? 'no reason given',
      })),
    };
    writeFileSync(process.env['TESTS_SUMMARY'], JSON.stringify(summary));
  }
}
