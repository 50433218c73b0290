/**
 * A vitest reporter that prints nothing and writes a summary to the file TESTS_SUMMARY. The JSON has the
 * numbers of `files` and of `passed` and `failed` tests, the failed files (`failedFiles`), the files whose
 * process died (`brokenOffFiles`), and the names and reasons of `skipped` tests.
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
