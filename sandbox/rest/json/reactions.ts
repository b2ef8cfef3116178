/** The sandbox has no reactions: the counts are there, and zero. */
export function reactionsJson(subjectUrl: string) {
  return {
    url: `${subjectUrl}/reactions`,
    total_count: 0,
    '+1': 0,
    '-1': 0,
    laugh: 0,
    hooray: 0,
    confused: 0,
    heart: 0,
    rocket: 0,
    eyes: 0,
  }
}
