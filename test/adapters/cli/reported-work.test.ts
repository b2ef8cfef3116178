import { describe, expect, test } from 'vitest'
import { reportedWork } from '../../../adapters/cli/reported-work.ts'
import { masked } from '../../../adapters/http/read/answer-facts.ts'

const INPUT = { title: 'users created' }

function work(stdout: string, stderr = '') {
  return reportedWork(stdout, stderr, lines => masked(lines, INPUT))
}

describe('a line that reports finished work', () => {
  test.each([
    ['gh', 'https://github.com/octo-org/widgets/pull/7'],
    ['kubectl', 'deployment.apps/web configured'],
    ['terraform', 'aws_s3_bucket.b: Creation complete after 2s [id=b]'],
    ['aws s3', 'upload: ./a.txt to s3://bucket/a.txt'],
    ['ansible', 'localhost : ok=4    changed=3    unreachable=0    failed=0'],
    ['a list', ' - service/api configured'],
    ['a log with levels', '[INFO] Uploaded to releases: https://repo.test/a-1.0.jar (12 kB)'],
    ['a log with times', '2026-03-18 10:50:24 [ℹ]  bucket "b" created'],
    ['a counter', 'posted 1 of 2'],
    ['a sentence', 'Volume vol-1 was deleted successfully.'],
    ['a heading', '--> eu-west-1: images were created:'],
  ])('of %s', (_, line) => {
    expect(work(`before\n${line}\nafter`)).toBe('finished')
  })

  test.each([
    ['a question about a URL', 'See https://example.com/help for help'],
    ['ansible without a change', 'localhost : ok=4    changed=0    unreachable=1    failed=0'],
    ['nothing', ''],
    ['a plan', 'bucket b will be created'],
    ['a refusal', 'Error: the volume could not be deleted'],
    ['a count of nothing', 'updated 0 of 5'],
    ['an author', 'Created by octo'],
    ['a step that begins', 'Creating pull request for branch deleted'],
    ['a title of the caller', 'users created'],
    ['a conflict', 'bucket b already created'],
  ])('is not %s', (_, line) => {
    expect(work(line)).toBeNull()
  })

  test('counts on stderr only with the mark of a finished step', () => {
    expect(work('', '✔ repository "fleet" created')).toBe('finished')
    expect(work('', 'repository "fleet" created')).toBeNull()
    expect(work('', '✗ no repository created')).toBeNull()
  })
})

describe('a program that begins several steps', () => {
  test.each([
    ['migrations', 'Applying migration a.sql...\nApplying migration b.sql...'],
    ['entries', 'adding new entry "uid=a"\n\nadding new entry "uid=b"'],
    [
      'stacks',
      '2026-03-18 10:50:24 [ℹ]  deploying stack "a"\n2026-03-18 11:02:24 [ℹ]  deploying stack "b"',
    ],
  ])('has sent more than one request: %s', (_, printed) => {
    expect(work(printed)).toBe('several')
    expect(work('', printed)).toBe('several')
  })

  test.each([
    ['one step', 'Applying migration a.sql...'],
    ['the same step again', 'Uploading a.txt...\nUploading a.txt...'],
    ['steps that change nothing', 'Reading a...\nReading b...'],
  ])('is not %s', (_, printed) => {
    expect(work(printed)).toBeNull()
  })
})
