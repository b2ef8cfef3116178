import { describe, expect, test } from 'vitest'
import { reportsWork } from '../../../adapters/cli/reported-work.ts'

describe('a line that reports finished work', () => {
  test.each([
    ['gh', 'https://github.com/octo-org/widgets/pull/7'],
    ['kubectl', 'deployment.apps/web configured'],
    ['terraform', 'aws_s3_bucket.b: Creation complete after 2s [id=b]'],
    ['aws s3', 'upload: ./a.txt to s3://bucket/a.txt'],
    ['ansible', 'localhost : ok=4    changed=3    unreachable=0    failed=0'],
  ])('of %s', (_, line) => {
    expect(reportsWork(`before\n${line}\nafter`)).toBe(true)
  })

  test.each([
    ['a question about a URL', 'See https://example.com/help for help'],
    ['ansible without a change', 'localhost : ok=4    changed=0    unreachable=1    failed=0'],
    ['nothing', ''],
  ])('is not %s', (_, line) => {
    expect(reportsWork(line)).toBe(false)
  })
})
