// Made by npm run docs; do not edit.

export interface GithubCapabilities {
  /** Take back that a comment is the answer of a discussion. */
  readonly "discussion.answer.clear": {
    readonly effect: "idempotent"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "discussionNumber": number; readonly "commentId": string }
    readonly output: { readonly "id": string; readonly "isAnswer": boolean; readonly "url": string }
  }
  /** Mark a comment as the answer of a discussion. */
  readonly "discussion.answer.set": {
    readonly effect: "idempotent"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "discussionNumber": number; readonly "commentId": string }
    readonly output: { readonly "id": string; readonly "isAnswer": boolean; readonly "url": string }
  }
  /** List the categories that discussions of a repository can have. */
  readonly "discussion.categories.list": {
    readonly effect: "read"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "first"?: number; readonly "after"?: string }
    readonly output: { readonly "items": readonly { readonly "id": string; readonly "name": string; readonly "slug": string; readonly "description": (string | null); readonly "emoji": string; readonly "isAnswerable": boolean }[]; readonly "pageInfo": { readonly "hasNextPage": boolean; readonly "endCursor": (string | null) } }
  }
  /** Comment on a discussion, or reply to a comment on it. */
  readonly "discussion.comments.create": {
    readonly effect: "write"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "discussionNumber": number; readonly "body": string; readonly "replyTo"?: string }
    readonly output: { readonly "id": string; readonly "body": string; readonly "url": string }
  }
  /** List the comments of a discussion with their replies, oldest first. */
  readonly "discussion.comments.list": {
    readonly effect: "read"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "discussionNumber": number; readonly "since"?: string; readonly "first"?: number; readonly "after"?: string }
    readonly output: { readonly "items": readonly { readonly "id": string; readonly "databaseId": (number | null); readonly "author": (string | null); readonly "body": string; readonly "isAnswer": boolean; readonly "createdAt": string; readonly "url": string; readonly "replies": readonly { readonly "id": string; readonly "author": (string | null); readonly "body": string; readonly "createdAt": string; readonly "url": string }[]; readonly "replyCount": number; readonly "repliesTruncated": boolean }[]; readonly "pageInfo": { readonly "hasNextPage": boolean; readonly "endCursor": (string | null) } }
  }
  /** Begin a discussion in a repository. */
  readonly "discussion.create": {
    readonly effect: "write"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "category": string; readonly "title": string; readonly "body": string }
    readonly output: { readonly "id": string; readonly "number": number; readonly "title": string; readonly "url": string }
  }
  /** List the discussions of a repository, last changed first. */
  readonly "discussion.list": {
    readonly effect: "read"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "category"?: string; readonly "answered"?: boolean; readonly "state"?: ("open" | "closed" | "all"); readonly "first"?: number; readonly "after"?: string }
    readonly output: { readonly "items": readonly { readonly "id": string; readonly "number": number; readonly "title": string; readonly "category": string; readonly "author": (string | null); readonly "isAnswered": (boolean | null); readonly "closed": boolean; readonly "commentCount": number; readonly "createdAt": string; readonly "updatedAt": string; readonly "url": string }[]; readonly "pageInfo": { readonly "hasNextPage": boolean; readonly "endCursor": (string | null) } }
  }
  /** Show one discussion of a repository, with its answer. */
  readonly "discussion.view": {
    readonly effect: "read"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "discussionNumber": number }
    readonly output: { readonly "id": string; readonly "number": number; readonly "title": string; readonly "body": string; readonly "category": string; readonly "author": (string | null); readonly "isAnswered": (boolean | null); readonly "answer": ({ readonly "id": string; readonly "author": (string | null); readonly "body": string; readonly "url": string } | null); readonly "closed": boolean; readonly "commentCount": number; readonly "createdAt": string; readonly "updatedAt": string; readonly "url": string }
  }
  /** Create a gist, a secret one unless public is true. */
  readonly "gist.create": {
    readonly effect: "write"
    readonly input: { readonly "files": { readonly [name: string]: string }; readonly "description"?: string; readonly "public"?: boolean }
    readonly output: { readonly "id": string; readonly "url": string; readonly "description": (string | null); readonly "isPublic": boolean; readonly "files": readonly string[]; readonly "createdAt": string }
  }
  /** Delete a gist with its files and comments. */
  readonly "gist.delete": {
    readonly effect: "idempotent"
    readonly input: { readonly "gistId": string }
    readonly output: { readonly "id": string; readonly "deleted": boolean }
  }
  /** List your own gists, secret ones included, or the public gists of another user, the newest first. */
  readonly "gist.list": {
    readonly effect: "read"
    readonly input: { readonly "login"?: string; readonly "first"?: number; readonly "after"?: string }
    readonly output: { readonly "items": readonly { readonly "id": string; readonly "description": (string | null); readonly "isPublic": boolean; readonly "url": string; readonly "files": readonly string[]; readonly "createdAt": string; readonly "updatedAt": string }[]; readonly "pageInfo": { readonly "hasNextPage": boolean; readonly "endCursor": (string | null) } }
  }
  /** Change files of a gist, add or delete some, or change its description. */
  readonly "gist.update": {
    readonly effect: "idempotent"
    readonly input: { readonly "gistId": string; readonly "files"?: { readonly [name: string]: string }; readonly "deleteFiles"?: readonly string[]; readonly "description"?: string }
    readonly output: { readonly "id": string; readonly "url": string; readonly "description": (string | null); readonly "isPublic": boolean; readonly "files": readonly string[]; readonly "updatedAt": string }
  }
  /** Show one gist with its files. */
  readonly "gist.view": {
    readonly effect: "read"
    readonly input: { readonly "gistId": string }
    readonly output: { readonly "id": string; readonly "description": (string | null); readonly "isPublic": boolean; readonly "url": string; readonly "owner": (string | null); readonly "forkOf": (string | null); readonly "commentCount": number; readonly "files": readonly { readonly "name": string; readonly "language": (string | null); readonly "size": number; readonly "content": (string | null); readonly "truncated": boolean }[]; readonly "truncated": boolean; readonly "createdAt": string; readonly "updatedAt": string }
  }
  /** Run a GraphQL query of your own. */
  readonly "graphql.query": {
    readonly effect: "read"
    readonly input: { readonly "query": string; readonly "variables"?: { readonly [name: string]: unknown } }
    readonly output: { readonly "data": { readonly [name: string]: unknown } }
  }
  /** Assign people to an issue, ten at most. */
  readonly "issue.assignees.add": {
    readonly effect: "idempotent"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "issueNumber": number; readonly "assignees": readonly string[] }
    readonly output: { readonly "issueNumber": number; readonly "added": readonly string[] }
  }
  /** Unassign people from an issue; people who are not assigned are ignored. */
  readonly "issue.assignees.remove": {
    readonly effect: "idempotent"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "issueNumber": number; readonly "assignees": readonly string[] }
    readonly output: { readonly "issueNumber": number; readonly "removed": readonly string[] }
  }
  /** Assign exactly these people to an issue; an empty list unassigns everybody. */
  readonly "issue.assignees.set": {
    readonly effect: "idempotent"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "issueNumber": number; readonly "assignees": readonly string[] }
    readonly output: { readonly "id": string; readonly "assignees": readonly string[] }
  }
  /** Close an issue. */
  readonly "issue.close": {
    readonly effect: "idempotent"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "issueNumber": number; readonly "stateReason"?: ("COMPLETED" | "NOT_PLANNED" | "DUPLICATE") }
    readonly output: { readonly "id": string; readonly "number": number; readonly "state": ("OPEN" | "CLOSED"); readonly "closed": boolean; readonly "stateReason"?: ("COMPLETED" | "DUPLICATE" | "NOT_PLANNED" | "REOPENED" | null) }
  }
  /** Comment on an issue or pull request. */
  readonly "issue.comments.create": {
    readonly effect: "write"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "issueNumber": number; readonly "body": string }
    readonly output: { readonly "id": string; readonly "databaseId": number; readonly "body": string; readonly "url": string }
  }
  /** Delete a comment on an issue or pull request. */
  readonly "issue.comments.delete": {
    readonly effect: "idempotent"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "issueNumber": number; readonly "commentId": number }
    readonly output: { readonly "id": string; readonly "databaseId": number; readonly "deleted": boolean }
  }
  /** List the comments of an issue or pull request, oldest first. */
  readonly "issue.comments.list": {
    readonly effect: "read"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "issueNumber": number; readonly "since"?: string; readonly "first"?: number; readonly "after"?: string }
    readonly output: { readonly "items": readonly { readonly "id": string; readonly "databaseId": number; readonly "body": string; readonly "author": (string | null); readonly "url": string; readonly "createdAt": string }[]; readonly "pageInfo": { readonly "hasNextPage": boolean; readonly "endCursor": (string | null) } }
  }
  /** React to a comment on an issue or pull request with an emoji. */
  readonly "issue.comments.reactions.add": {
    readonly effect: "idempotent"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "issueNumber": number; readonly "commentId": number; readonly "content": ("THUMBS_UP" | "THUMBS_DOWN" | "LAUGH" | "HOORAY" | "CONFUSED" | "HEART" | "ROCKET" | "EYES") }
    readonly output: { readonly "id": string; readonly "databaseId": number; readonly "content": ("THUMBS_UP" | "THUMBS_DOWN" | "LAUGH" | "HOORAY" | "CONFUSED" | "HEART" | "ROCKET" | "EYES") }
  }
  /** List the emoji reactions to a comment on an issue or pull request, grouped by emoji, with the users who reacted. */
  readonly "issue.comments.reactions.list": {
    readonly effect: "read"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "issueNumber": number; readonly "commentId": number; readonly "reactorLogin"?: string; readonly "content"?: ("THUMBS_UP" | "THUMBS_DOWN" | "LAUGH" | "HOORAY" | "CONFUSED" | "HEART" | "ROCKET" | "EYES") }
    readonly output: { readonly "subject": { readonly "type": string; readonly "id": string; readonly "url": string }; readonly "items": readonly { readonly "content": ("THUMBS_UP" | "THUMBS_DOWN" | "LAUGH" | "HOORAY" | "CONFUSED" | "HEART" | "ROCKET" | "EYES"); readonly "reactorCount": number; readonly "reactorLogins": readonly string[]; readonly "viewerHasReacted": boolean }[]; readonly "filterApplied": { readonly "reactorLogin": (string | null); readonly "content": (string | null) } }
  }
  /** Take back one's own reaction to a comment on an issue or pull request. */
  readonly "issue.comments.reactions.remove": {
    readonly effect: "idempotent"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "issueNumber": number; readonly "commentId": number; readonly "content": ("THUMBS_UP" | "THUMBS_DOWN" | "LAUGH" | "HOORAY" | "CONFUSED" | "HEART" | "ROCKET" | "EYES") }
    readonly output: { readonly "content": ("THUMBS_UP" | "THUMBS_DOWN" | "LAUGH" | "HOORAY" | "CONFUSED" | "HEART" | "ROCKET" | "EYES"); readonly "removed": boolean }
  }
  /** Write a comment on an issue or pull request anew. */
  readonly "issue.comments.update": {
    readonly effect: "idempotent"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "issueNumber": number; readonly "commentId": number; readonly "body": string }
    readonly output: { readonly "id": string; readonly "databaseId": number; readonly "body": string; readonly "url": string }
  }
  /** Show one comment on an issue or pull request. */
  readonly "issue.comments.view": {
    readonly effect: "read"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "issueNumber": number; readonly "commentId": number }
    readonly output: { readonly "id": string; readonly "databaseId": number; readonly "author": (string | null); readonly "body": string; readonly "createdAt": string; readonly "updatedAt": string; readonly "url": string }
  }
  /** Create an issue, with labels, assignees, milestone and project if wanted. */
  readonly "issue.create": {
    readonly effect: "write"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "title": string; readonly "body"?: string; readonly "template"?: string; readonly "labels"?: readonly string[]; readonly "assignees"?: readonly string[]; readonly "milestoneNumber"?: number; readonly "type"?: string; readonly "projectNumber"?: number }
    readonly output: { readonly "id": string; readonly "number": number; readonly "title": string; readonly "state": ("OPEN" | "CLOSED"); readonly "url": string; readonly "labels"?: readonly string[]; readonly "assignees"?: readonly string[]; readonly "milestone"?: ({ readonly "number": number; readonly "title": string } | null); readonly "type"?: (string | null); readonly "projectItemId"?: (string | null) }
  }
  /** Delete an issue and its comments permanently. */
  readonly "issue.delete": {
    readonly effect: "idempotent"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "issueNumber": number }
    readonly output: { readonly "id": string; readonly "number": number; readonly "deleted": boolean }
  }
  /** Add labels to an issue or pull request; its other labels stay. */
  readonly "issue.labels.add": {
    readonly effect: "idempotent"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "issueNumber": number; readonly "labels": readonly string[] }
    readonly output: { readonly "id": string; readonly "labels": readonly string[] }
  }
  /** Remove labels from an issue or pull request; labels that it does not have are ignored. */
  readonly "issue.labels.remove": {
    readonly effect: "idempotent"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "issueNumber": number; readonly "labels": readonly string[] }
    readonly output: { readonly "issueNumber": number; readonly "removed": readonly string[] }
  }
  /** Give an issue exactly these labels; an empty list removes all. */
  readonly "issue.labels.set": {
    readonly effect: "idempotent"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "issueNumber": number; readonly "labels": readonly string[] }
    readonly output: { readonly "id": string; readonly "labels": readonly string[] }
  }
  /** List the issues of a repository, newest first unless asked otherwise. */
  readonly "issue.list": {
    readonly effect: "read"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "state"?: ("open" | "closed" | "all"); readonly "labels"?: readonly (string & string)[]; readonly "author"?: string; readonly "assignee"?: string; readonly "mentioned"?: string; readonly "milestone"?: (number | ("*" | "none")); readonly "type"?: string; readonly "since"?: string; readonly "sort"?: ("created" | "updated" | "comments"); readonly "direction"?: ("asc" | "desc"); readonly "first"?: number; readonly "after"?: string }
    readonly output: { readonly "items": readonly { readonly "id": string; readonly "number": number; readonly "title": string; readonly "state": ("OPEN" | "CLOSED"); readonly "url": string; readonly "author": (string | null); readonly "labels": readonly string[]; readonly "createdAt": string; readonly "updatedAt": string }[]; readonly "pageInfo": { readonly "hasNextPage": boolean; readonly "endCursor": (string | null) } }
  }
  /** Lock the conversation of an issue or pull request, so that only those who can push may comment. */
  readonly "issue.lock": {
    readonly effect: "idempotent"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "issueNumber": number; readonly "lockReason"?: ("OFF_TOPIC" | "RESOLVED" | "SPAM" | "TOO_HEATED") }
    readonly output: { readonly "id": string; readonly "number": number; readonly "locked": boolean; readonly "activeLockReason": ("OFF_TOPIC" | "RESOLVED" | "SPAM" | "TOO_HEATED" | null) }
  }
  /** Remove an issue or pull request from its milestone. */
  readonly "issue.milestone.clear": {
    readonly effect: "idempotent"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "issueNumber": number }
    readonly output: { readonly "issueNumber": number; readonly "cleared": boolean }
  }
  /** Put an issue into a milestone, replacing the one that it has. */
  readonly "issue.milestone.set": {
    readonly effect: "idempotent"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "issueNumber": number; readonly "milestoneNumber": number }
    readonly output: { readonly "id": string; readonly "milestoneNumber": (number | null); readonly "updated": boolean }
  }
  /** React to an issue with an emoji. */
  readonly "issue.reactions.add": {
    readonly effect: "idempotent"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "issueNumber": number; readonly "content": ("THUMBS_UP" | "THUMBS_DOWN" | "LAUGH" | "HOORAY" | "CONFUSED" | "HEART" | "ROCKET" | "EYES") }
    readonly output: { readonly "id": string; readonly "databaseId": number; readonly "content": ("THUMBS_UP" | "THUMBS_DOWN" | "LAUGH" | "HOORAY" | "CONFUSED" | "HEART" | "ROCKET" | "EYES") }
  }
  /** List the emoji reactions to an issue itself, grouped by emoji, with the users who reacted. */
  readonly "issue.reactions.list": {
    readonly effect: "read"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "issueNumber": number; readonly "reactorLogin"?: string; readonly "content"?: ("THUMBS_UP" | "THUMBS_DOWN" | "LAUGH" | "HOORAY" | "CONFUSED" | "HEART" | "ROCKET" | "EYES") }
    readonly output: { readonly "subject": { readonly "type": string; readonly "id": string; readonly "url": string }; readonly "items": readonly { readonly "content": ("THUMBS_UP" | "THUMBS_DOWN" | "LAUGH" | "HOORAY" | "CONFUSED" | "HEART" | "ROCKET" | "EYES"); readonly "reactorCount": number; readonly "reactorLogins": readonly string[]; readonly "viewerHasReacted": boolean }[]; readonly "filterApplied": { readonly "reactorLogin": (string | null); readonly "content": (string | null) } }
  }
  /** Take back one's own reaction to an issue. */
  readonly "issue.reactions.remove": {
    readonly effect: "idempotent"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "issueNumber": number; readonly "content": ("THUMBS_UP" | "THUMBS_DOWN" | "LAUGH" | "HOORAY" | "CONFUSED" | "HEART" | "ROCKET" | "EYES") }
    readonly output: { readonly "content": ("THUMBS_UP" | "THUMBS_DOWN" | "LAUGH" | "HOORAY" | "CONFUSED" | "HEART" | "ROCKET" | "EYES"); readonly "removed": boolean }
  }
  /** Mark an issue as blocked by another. */
  readonly "issue.relations.blocked_by.add": {
    readonly effect: "idempotent"
    readonly input: { readonly "issueId": string; readonly "blockedByIssueId": string }
    readonly output: { readonly "issueId": string; readonly "blockedByIssueId": string; readonly "added": boolean }
  }
  /** Mark an issue as no longer blocked by another; does nothing if it was not. */
  readonly "issue.relations.blocked_by.remove": {
    readonly effect: "idempotent"
    readonly input: { readonly "issueId": string; readonly "blockedByIssueId": string }
    readonly output: { readonly "issueId": string; readonly "blockedByIssueId": string; readonly "removed": boolean }
  }
  /** Remove an issue from its parent issue; an issue without a parent stays unchanged. */
  readonly "issue.relations.parent.remove": {
    readonly effect: "idempotent"
    readonly input: { readonly "issueId": string }
    readonly output: { readonly "issueId": string; readonly "parentRemoved": boolean }
  }
  /** Make an issue a sub-issue of another, replacing the parent that it has. */
  readonly "issue.relations.parent.set": {
    readonly effect: "idempotent"
    readonly input: { readonly "issueId": string; readonly "parentIssueId": string }
    readonly output: { readonly "issueId": string; readonly "parentIssueId": string; readonly "updated": boolean }
  }
  /** List the pull requests that are linked to an issue, and would close it or have closed it. */
  readonly "issue.relations.prs.list": {
    readonly effect: "read"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "issueNumber": number }
    readonly output: { readonly "items": readonly { readonly "id": string; readonly "number": number; readonly "title": string; readonly "state": ("OPEN" | "CLOSED" | "MERGED"); readonly "url": string }[] }
  }
  /** Show the parent and the sub-issues of an issue, and the issues that block it. */
  readonly "issue.relations.view": {
    readonly effect: "read"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "issueNumber": number }
    readonly output: { readonly "issue": { readonly "id": string; readonly "number": number; readonly "title": string; readonly "state": ("OPEN" | "CLOSED"); readonly "url": string }; readonly "parent": ({ readonly "id": string; readonly "number": number; readonly "title": string; readonly "state": ("OPEN" | "CLOSED"); readonly "url": string } | null); readonly "children": readonly { readonly "id": string; readonly "number": number; readonly "title": string; readonly "state": ("OPEN" | "CLOSED"); readonly "url": string }[]; readonly "blockedBy": readonly { readonly "id": string; readonly "number": number; readonly "title": string; readonly "state": ("OPEN" | "CLOSED"); readonly "url": string }[] }
  }
  /** Reopen an issue that was closed. */
  readonly "issue.reopen": {
    readonly effect: "idempotent"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "issueNumber": number }
    readonly output: { readonly "id": string; readonly "number": number; readonly "state": ("OPEN" | "CLOSED"); readonly "reopened": boolean }
  }
  /** Unlock the conversation of an issue or pull request, so that everybody may comment again. */
  readonly "issue.unlock": {
    readonly effect: "idempotent"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "issueNumber": number }
    readonly output: { readonly "number": number; readonly "locked": boolean }
  }
  /** Change an issue. */
  readonly "issue.update": {
    readonly effect: "idempotent"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "issueNumber": number; readonly "title"?: string; readonly "body"?: string; readonly "labels"?: readonly string[]; readonly "assignees"?: readonly string[]; readonly "milestoneNumber"?: number; readonly "type"?: string; readonly "projectNumber"?: number }
    readonly output: { readonly "id": string; readonly "number": number; readonly "title": string; readonly "state": ("OPEN" | "CLOSED"); readonly "url": string; readonly "labels"?: readonly string[]; readonly "assignees"?: readonly string[]; readonly "milestone"?: ({ readonly "number": number; readonly "title": string } | null); readonly "type"?: (string | null); readonly "projectItemId"?: (string | null) }
  }
  /** Show one issue. */
  readonly "issue.view": {
    readonly effect: "read"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "issueNumber": number }
    readonly output: { readonly "id": string; readonly "number": number; readonly "title": string; readonly "state": ("OPEN" | "CLOSED"); readonly "stateReason": ("COMPLETED" | "DUPLICATE" | "NOT_PLANNED" | "REOPENED" | null); readonly "url": string; readonly "author": (string | null); readonly "labels": readonly string[]; readonly "assignees": readonly string[]; readonly "milestone": ({ readonly "number": number; readonly "title": string } | null); readonly "type"?: (string | null); readonly "locked": boolean; readonly "commentCount": number; readonly "createdAt": string; readonly "updatedAt": string; readonly "closedAt": (string | null); readonly "body": string }
  }
  /** List the notifications of the credential's user, the most recently updated first. */
  readonly "notifications.list": {
    readonly effect: "read"
    readonly input: { readonly "all"?: boolean; readonly "participating"?: boolean; readonly "since"?: string; readonly "before"?: string; readonly "first"?: number; readonly "after"?: string }
    readonly output: { readonly "items": readonly { readonly "id": string; readonly "reason": string; readonly "isUnread": boolean; readonly "repository": string; readonly "subject": { readonly "title": string; readonly "type": string; readonly "number": (number | null) }; readonly "updatedAt": string; readonly "lastReadAt": (string | null) }[]; readonly "pageInfo": { readonly "hasNextPage": boolean; readonly "endCursor": (string | null) } }
  }
  /** Mark all notifications as read that were updated up to a time. */
  readonly "notifications.read_all": {
    readonly effect: "idempotent"
    readonly input: { readonly "lastReadAt": string }
    readonly output: { readonly "lastReadAt": string; readonly "finished": boolean }
  }
  /** Mark a notification thread as done, which takes it out of the inbox. */
  readonly "notifications.thread.done": {
    readonly effect: "idempotent"
    readonly input: { readonly "threadId": string }
    readonly output: { readonly "id": string; readonly "done": boolean }
  }
  /** Mark a notification thread as read. */
  readonly "notifications.thread.read": {
    readonly effect: "idempotent"
    readonly input: { readonly "threadId": string }
    readonly output: { readonly "id": string; readonly "isUnread": boolean }
  }
  /** Stop following a notification thread until the user comments or is mentioned again. */
  readonly "notifications.thread.subscription.delete": {
    readonly effect: "idempotent"
    readonly input: { readonly "threadId": string }
    readonly output: { readonly "id": string; readonly "subscribed": boolean }
  }
  /** Follow a notification thread, or mute it. */
  readonly "notifications.thread.subscription.set": {
    readonly effect: "idempotent"
    readonly input: { readonly "threadId": string; readonly "ignored"?: boolean }
    readonly output: { readonly "subscribed": boolean; readonly "ignored": boolean; readonly "reason": (string | null); readonly "createdAt": (string | null) }
  }
  /** Show whether the user follows or mutes a notification thread. */
  readonly "notifications.thread.subscription.view": {
    readonly effect: "read"
    readonly input: { readonly "threadId": string }
    readonly output: { readonly "subscribed": boolean; readonly "ignored": boolean; readonly "reason": (string | null); readonly "createdAt": (string | null) }
  }
  /** Show one notification thread. */
  readonly "notifications.thread.view": {
    readonly effect: "read"
    readonly input: { readonly "threadId": string }
    readonly output: { readonly "id": string; readonly "reason": string; readonly "isUnread": boolean; readonly "repository": string; readonly "subject": { readonly "title": string; readonly "type": string; readonly "number": (number | null) }; readonly "updatedAt": string; readonly "lastReadAt": (string | null) }
  }
  /** Show the public profile of one organisation. */
  readonly "org.view": {
    readonly effect: "read"
    readonly input: { readonly "org": string }
    readonly output: { readonly "id": string; readonly "login": string; readonly "name": (string | null); readonly "description": (string | null); readonly "email": (string | null); readonly "location": (string | null); readonly "websiteUrl": (string | null); readonly "twitterUsername": (string | null); readonly "isVerified": boolean; readonly "url": string; readonly "publicRepositoryCount": number; readonly "archivedAt": (string | null); readonly "createdAt": string }
  }
  /** Delete a package with all its versions. */
  readonly "package.delete": {
    readonly effect: "idempotent"
    readonly input: { readonly "owner": string; readonly "packageType": ("npm" | "maven" | "rubygems" | "docker" | "nuget" | "container"); readonly "packageName": string }
    readonly output: { readonly "packageName": string; readonly "deleted": boolean }
  }
  /** List the packages of a user or organisation in one registry of GitHub Packages. */
  readonly "package.list": {
    readonly effect: "read"
    readonly input: { readonly "owner": string; readonly "packageType": ("npm" | "maven" | "rubygems" | "docker" | "nuget" | "container"); readonly "visibility"?: ("PUBLIC" | "PRIVATE" | "INTERNAL"); readonly "first"?: number; readonly "after"?: string }
    readonly output: { readonly "items": readonly { readonly "id": number; readonly "name": string; readonly "packageType": ("npm" | "maven" | "rubygems" | "docker" | "nuget" | "container"); readonly "owner": (string | null); readonly "visibility": ("PUBLIC" | "PRIVATE" | "INTERNAL"); readonly "repository": (string | null); readonly "versionCount": number; readonly "url": string; readonly "createdAt": string; readonly "updatedAt": string }[]; readonly "pageInfo": { readonly "hasNextPage": boolean; readonly "endCursor": (string | null) } }
  }
  /** Restore a package that was deleted in the last 30 days, if its name is not taken again. */
  readonly "package.restore": {
    readonly effect: "idempotent"
    readonly input: { readonly "owner": string; readonly "packageType": ("npm" | "maven" | "rubygems" | "docker" | "nuget" | "container"); readonly "packageName": string }
    readonly output: { readonly "packageName": string; readonly "restored": boolean }
  }
  /** Delete one version of a package. */
  readonly "package.version.delete": {
    readonly effect: "idempotent"
    readonly input: { readonly "owner": string; readonly "packageType": ("npm" | "maven" | "rubygems" | "docker" | "nuget" | "container"); readonly "packageName": string; readonly "packageVersionId": number }
    readonly output: { readonly "packageVersionId": number; readonly "deleted": boolean }
  }
  /** Restore a version of a package that was deleted in the last 30 days. */
  readonly "package.version.restore": {
    readonly effect: "idempotent"
    readonly input: { readonly "owner": string; readonly "packageType": ("npm" | "maven" | "rubygems" | "docker" | "nuget" | "container"); readonly "packageName": string; readonly "packageVersionId": number }
    readonly output: { readonly "packageVersionId": number; readonly "restored": boolean }
  }
  /** Show one version of a package. */
  readonly "package.version.view": {
    readonly effect: "read"
    readonly input: { readonly "owner": string; readonly "packageType": ("npm" | "maven" | "rubygems" | "docker" | "nuget" | "container"); readonly "packageName": string; readonly "packageVersionId": number }
    readonly output: { readonly "id": number; readonly "version": string; readonly "description": (string | null); readonly "license": (string | null); readonly "tags": readonly string[]; readonly "url": string; readonly "createdAt": string; readonly "updatedAt": string; readonly "deletedAt": (string | null) }
  }
  /** List the versions of a package, the newest first. */
  readonly "package.versions.list": {
    readonly effect: "read"
    readonly input: { readonly "owner": string; readonly "packageType": ("npm" | "maven" | "rubygems" | "docker" | "nuget" | "container"); readonly "packageName": string; readonly "state"?: ("active" | "deleted"); readonly "first"?: number; readonly "after"?: string }
    readonly output: { readonly "items": readonly { readonly "id": number; readonly "version": string; readonly "description": (string | null); readonly "license": (string | null); readonly "tags": readonly string[]; readonly "url": string; readonly "createdAt": string; readonly "updatedAt": string; readonly "deletedAt": (string | null) }[]; readonly "pageInfo": { readonly "hasNextPage": boolean; readonly "endCursor": (string | null) } }
  }
  /** Show one package of GitHub Packages. */
  readonly "package.view": {
    readonly effect: "read"
    readonly input: { readonly "owner": string; readonly "packageType": ("npm" | "maven" | "rubygems" | "docker" | "nuget" | "container"); readonly "packageName": string }
    readonly output: { readonly "id": number; readonly "name": string; readonly "packageType": ("npm" | "maven" | "rubygems" | "docker" | "nuget" | "container"); readonly "owner": (string | null); readonly "visibility": ("PUBLIC" | "PRIVATE" | "INTERNAL"); readonly "repository": (string | null); readonly "versionCount": number; readonly "url": string; readonly "createdAt": string; readonly "updatedAt": string }
  }
  /** Assign people to a pull request, ten at most. */
  readonly "pr.assignees.add": {
    readonly effect: "idempotent"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "prNumber": number; readonly "assignees": readonly string[] }
    readonly output: { readonly "prNumber": number; readonly "added": readonly string[] }
  }
  /** Unassign people from a pull request; people who are not assigned are ignored. */
  readonly "pr.assignees.remove": {
    readonly effect: "idempotent"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "prNumber": number; readonly "assignees": readonly string[] }
    readonly output: { readonly "prNumber": number; readonly "removed": readonly string[] }
  }
  /** Bring the newest commits of the base branch onto the head branch of a pull request; if it has them all, the call fails with CONFLICT. */
  readonly "pr.branch.update": {
    readonly effect: "idempotent"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "prNumber": number; readonly "expectedHead"?: string }
    readonly output: { readonly "prNumber": number; readonly "updated": boolean }
  }
  /** List the checks of a pull request's head commit, by name: check runs and commit statuses. */
  readonly "pr.checks.list": {
    readonly effect: "read"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "prNumber": number; readonly "state"?: ("all" | "success" | "failure" | "pending" | "skipped") }
    readonly output: { readonly "items": readonly { readonly "name": string; readonly "workflowName": (string | null); readonly "status": (string | null); readonly "conclusion": (string | null); readonly "state": string; readonly "url": (string | null); readonly "startedAt": (string | null); readonly "completedAt": (string | null); readonly "runId": (number | null); readonly "jobId": (number | null) }[]; readonly "summary": { readonly "total": number; readonly "passed": number; readonly "failed": number; readonly "pending": number; readonly "skipped": number } }
  }
  /** Run all jobs of a workflow run of a pull request again. */
  readonly "pr.checks.rerun.all": {
    readonly effect: "write"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "prNumber": number; readonly "runId": number }
    readonly output: { readonly "runId": number; readonly "queued": boolean }
  }
  /** Run the failed jobs of a workflow run of a pull request again, and those that depend on them. */
  readonly "pr.checks.rerun.failed": {
    readonly effect: "write"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "prNumber": number; readonly "runId": number }
    readonly output: { readonly "runId": number; readonly "queued": boolean }
  }
  /** Close a pull request without merging it; optionally comment on it and delete its branch. */
  readonly "pr.close": {
    readonly effect: "write"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "prNumber": number; readonly "comment"?: string; readonly "deleteBranch"?: boolean }
    readonly output: { readonly "prNumber": number; readonly "state": ("OPEN" | "CLOSED" | "MERGED"); readonly "closed": boolean; readonly "deleteBranch": boolean }
  }
  /** Comment on a pull request, in its conversation. */
  readonly "pr.comments.create": {
    readonly effect: "write"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "prNumber": number; readonly "body": string }
    readonly output: { readonly "id": string; readonly "databaseId": number; readonly "body": string; readonly "url": string }
  }
  /** List the emoji reactions to the comments in the conversation of a pull request; comments without any are left out. */
  readonly "pr.comments.reactions.list": {
    readonly effect: "read"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "prNumber": number; readonly "first"?: number; readonly "after"?: string; readonly "reactorLogin"?: string; readonly "content"?: ("THUMBS_UP" | "THUMBS_DOWN" | "LAUGH" | "HOORAY" | "CONFUSED" | "HEART" | "ROCKET" | "EYES") }
    readonly output: { readonly "items": readonly { readonly "subjectType": "IssueComment"; readonly "subjectId": string; readonly "subjectUrl": string; readonly "authorLogin": (string | null); readonly "groups": readonly { readonly "content": ("THUMBS_UP" | "THUMBS_DOWN" | "LAUGH" | "HOORAY" | "CONFUSED" | "HEART" | "ROCKET" | "EYES"); readonly "reactorCount": number; readonly "reactorLogins": readonly string[]; readonly "viewerHasReacted": boolean; readonly "reactorsTruncated": boolean }[] }[]; readonly "filterApplied": { readonly "reactorLogin": (string | null); readonly "content": (string | null) }; readonly "pageInfo": { readonly "hasNextPage": boolean; readonly "endCursor": (string | null) }; readonly "scan": { readonly "pagesScanned": number; readonly "sourceItemsScanned": number; readonly "scanTruncated": boolean } }
  }
  /** Open a pull request, with labels, assignees, milestone, reviewers and project if wanted. */
  readonly "pr.create": {
    readonly effect: "write"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "title": string; readonly "body"?: string; readonly "template"?: string; readonly "head": string; readonly "headRepository"?: string; readonly "base": string; readonly "draft"?: boolean; readonly "labels"?: readonly string[]; readonly "assignees"?: readonly string[]; readonly "milestoneNumber"?: number; readonly "reviewers"?: readonly string[]; readonly "teamReviewers"?: readonly string[]; readonly "projectNumber"?: number }
    readonly output: { readonly "number": number; readonly "url": string; readonly "title": string; readonly "state": ("OPEN" | "CLOSED" | "MERGED"); readonly "draft": boolean; readonly "labels"?: readonly string[]; readonly "assignees"?: readonly string[]; readonly "milestone"?: ({ readonly "number": number; readonly "title": string } | null); readonly "reviewers"?: readonly string[]; readonly "teamReviewers"?: (readonly string[] | null); readonly "projectItemId"?: (string | null) }
  }
  /** List the files that a pull request changes, by path. */
  readonly "pr.diff.files": {
    readonly effect: "read"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "prNumber": number; readonly "first"?: number; readonly "after"?: string }
    readonly output: { readonly "items": readonly { readonly "path": string; readonly "additions": number; readonly "deletions": number; readonly "changeType": ("ADDED" | "CHANGED" | "COPIED" | "DELETED" | "MODIFIED" | "RENAMED") }[]; readonly "pageInfo": { readonly "hasNextPage": boolean; readonly "endCursor": (string | null) } }
  }
  /** Show what a pull request changes, as a unified diff. */
  readonly "pr.diff.view": {
    readonly effect: "read"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "prNumber": number }
    readonly output: { readonly "diff": string }
  }
  /** List the pull requests of a repository, newest first unless asked otherwise. */
  readonly "pr.list": {
    readonly effect: "read"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "state"?: ("open" | "closed" | "merged" | "all"); readonly "headRefName"?: string; readonly "headRepositoryOwner"?: string; readonly "baseRefName"?: string; readonly "labels"?: readonly (string & string)[]; readonly "author"?: string; readonly "assignee"?: string; readonly "milestone"?: (number | ("*" | "none")); readonly "sort"?: ("created" | "updated" | "comments" | "long-running"); readonly "direction"?: ("asc" | "desc"); readonly "first"?: number; readonly "after"?: string }
    readonly output: { readonly "items": readonly { readonly "id": string; readonly "number": number; readonly "title": string; readonly "state": ("OPEN" | "CLOSED" | "MERGED"); readonly "url": string; readonly "isDraft": boolean; readonly "author": (string | null); readonly "headRefName": string; readonly "headRepositoryOwner": (string | null); readonly "baseRefName": string; readonly "labels": readonly string[]; readonly "createdAt": string; readonly "updatedAt": string }[]; readonly "pageInfo": { readonly "hasNextPage": boolean; readonly "endCursor": (string | null) } }
  }
  /** Merge a pull request, add it to the merge queue of its base branch, or let GitHub merge it as soon as possible. */
  readonly "pr.merge": {
    readonly effect: "write"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "prNumber": number; readonly "method"?: ("merge" | "squash" | "rebase"); readonly "deleteBranch"?: boolean; readonly "admin"?: boolean; readonly "auto"?: boolean; readonly "expectedHead"?: string; readonly "subject"?: string; readonly "body"?: string }
    readonly output: { readonly "prNumber": number; readonly "method": ("merge" | "squash" | "rebase" | null); readonly "isMethodAssumed": boolean; readonly "queued": boolean; readonly "deleteBranch": boolean; readonly "admin": boolean; readonly "auto": boolean }
  }
  /** Show whether a pull request can be merged, and what prevents it. */
  readonly "pr.merge.status": {
    readonly effect: "read"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "prNumber": number }
    readonly output: { readonly "mergeable": ("MERGEABLE" | "CONFLICTING" | "UNKNOWN"); readonly "mergeStateStatus": ("BEHIND" | "BLOCKED" | "CLEAN" | "DIRTY" | "DRAFT" | "HAS_HOOKS" | "UNKNOWN" | "UNSTABLE"); readonly "reviewDecision": ("APPROVED" | "CHANGES_REQUESTED" | "REVIEW_REQUIRED" | null); readonly "isDraft": boolean; readonly "state": ("OPEN" | "CLOSED" | "MERGED") }
  }
  /** React to a pull request with an emoji. */
  readonly "pr.reactions.add": {
    readonly effect: "idempotent"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "prNumber": number; readonly "content": ("THUMBS_UP" | "THUMBS_DOWN" | "LAUGH" | "HOORAY" | "CONFUSED" | "HEART" | "ROCKET" | "EYES") }
    readonly output: { readonly "id": string; readonly "databaseId": number; readonly "content": ("THUMBS_UP" | "THUMBS_DOWN" | "LAUGH" | "HOORAY" | "CONFUSED" | "HEART" | "ROCKET" | "EYES") }
  }
  /** List the emoji reactions to a pull request itself, grouped by emoji, with the users who reacted. */
  readonly "pr.reactions.list": {
    readonly effect: "read"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "prNumber": number; readonly "reactorLogin"?: string; readonly "content"?: ("THUMBS_UP" | "THUMBS_DOWN" | "LAUGH" | "HOORAY" | "CONFUSED" | "HEART" | "ROCKET" | "EYES") }
    readonly output: { readonly "subject": { readonly "type": string; readonly "id": string; readonly "url": string }; readonly "items": readonly { readonly "content": ("THUMBS_UP" | "THUMBS_DOWN" | "LAUGH" | "HOORAY" | "CONFUSED" | "HEART" | "ROCKET" | "EYES"); readonly "reactorCount": number; readonly "reactorLogins": readonly string[]; readonly "viewerHasReacted": boolean }[]; readonly "filterApplied": { readonly "reactorLogin": (string | null); readonly "content": (string | null) } }
  }
  /** Take back one's own reaction to a pull request. */
  readonly "pr.reactions.remove": {
    readonly effect: "idempotent"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "prNumber": number; readonly "content": ("THUMBS_UP" | "THUMBS_DOWN" | "LAUGH" | "HOORAY" | "CONFUSED" | "HEART" | "ROCKET" | "EYES") }
    readonly output: { readonly "content": ("THUMBS_UP" | "THUMBS_DOWN" | "LAUGH" | "HOORAY" | "CONFUSED" | "HEART" | "ROCKET" | "EYES"); readonly "removed": boolean }
  }
  /** Reopen a pull request that was closed without merging. */
  readonly "pr.reopen": {
    readonly effect: "idempotent"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "prNumber": number }
    readonly output: { readonly "prNumber": number; readonly "state": ("OPEN" | "CLOSED" | "MERGED"); readonly "reopened": boolean }
  }
  /** Dismiss a review that approved or requested changes, so that it no longer counts. */
  readonly "pr.reviews.dismiss": {
    readonly effect: "idempotent"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "prNumber": number; readonly "reviewId": number; readonly "message": string }
    readonly output: { readonly "id": string; readonly "databaseId": number; readonly "state": "DISMISSED"; readonly "url": string }
  }
  /** List the reviews of a pull request, oldest first. */
  readonly "pr.reviews.list": {
    readonly effect: "read"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "prNumber": number; readonly "since"?: string; readonly "first"?: number; readonly "after"?: string }
    readonly output: { readonly "items": readonly { readonly "id": string; readonly "databaseId": number; readonly "author": (string | null); readonly "state": ("APPROVED" | "CHANGES_REQUESTED" | "COMMENTED" | "DISMISSED" | "PENDING"); readonly "body": string; readonly "submittedAt": (string | null); readonly "commitOid": (string | null); readonly "url": string }[]; readonly "pageInfo": { readonly "hasNextPage": boolean; readonly "endCursor": (string | null) } }
  }
  /** Add a comment on lines of the diff, or on a whole file, to one's own pending review. */
  readonly "pr.reviews.pending.comments.add": {
    readonly effect: "write"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "prNumber": number; readonly "path": string; readonly "line"?: number; readonly "body": string; readonly "side"?: ("LEFT" | "RIGHT"); readonly "startLine"?: number; readonly "startSide"?: ("LEFT" | "RIGHT") }
    readonly output: { readonly "id": string; readonly "databaseId": number; readonly "path": string; readonly "body": string; readonly "url": string }
  }
  /** Begin a review of a pull request that nobody else sees until pr.reviews.pending.submit. */
  readonly "pr.reviews.pending.create": {
    readonly effect: "write"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "prNumber": number; readonly "body"?: string; readonly "comments"?: readonly { readonly "path": string; readonly "line": number; readonly "body": string; readonly "side"?: ("LEFT" | "RIGHT"); readonly "startLine"?: number; readonly "startSide"?: ("LEFT" | "RIGHT") }[] }
    readonly output: { readonly "id": string; readonly "databaseId": number; readonly "url": string; readonly "body": string }
  }
  /** Delete one's own pending review of a pull request, with its comments. */
  readonly "pr.reviews.pending.delete": {
    readonly effect: "idempotent"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "prNumber": number }
    readonly output: { readonly "id": string; readonly "databaseId": number; readonly "deleted": boolean }
  }
  /** Submit one's own pending review of a pull request. */
  readonly "pr.reviews.pending.submit": {
    readonly effect: "write"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "prNumber": number; readonly "event": ("APPROVE" | "REQUEST_CHANGES" | "COMMENT"); readonly "body"?: string }
    readonly output: { readonly "id": string; readonly "databaseId": number; readonly "state": ("APPROVED" | "CHANGES_REQUESTED" | "COMMENTED"); readonly "url": string; readonly "body": string }
  }
  /** Show one's own pending review of a pull request, with its comments. */
  readonly "pr.reviews.pending.view": {
    readonly effect: "read"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "prNumber": number }
    readonly output: { readonly "id": string; readonly "databaseId": number; readonly "body": string; readonly "commitOid": (string | null); readonly "url": string; readonly "comments": readonly { readonly "id": string; readonly "databaseId": number; readonly "path": string; readonly "body": string; readonly "diffHunk": string; readonly "createdAt": string; readonly "url": string }[] }
  }
  /** Ask users and teams to review a pull request; earlier requests stay. */
  readonly "pr.reviews.request": {
    readonly effect: "idempotent"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "prNumber": number; readonly "reviewers"?: readonly string[]; readonly "teamReviewers"?: readonly string[] }
    readonly output: { readonly "prNumber": number; readonly "reviewers": readonly string[]; readonly "teamReviewers": readonly string[]; readonly "updated": boolean }
  }
  /** Take back requests for reviews of a pull request; the other requests stay. */
  readonly "pr.reviews.request.remove": {
    readonly effect: "idempotent"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "prNumber": number; readonly "reviewers"?: readonly string[]; readonly "teamReviewers"?: readonly string[] }
    readonly output: { readonly "prNumber": number; readonly "reviewers": readonly string[]; readonly "teamReviewers": readonly string[] }
  }
  /** Review a pull request, with comments on lines of its diff if wanted. */
  readonly "pr.reviews.submit": {
    readonly effect: "write"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "prNumber": number; readonly "event": ("APPROVE" | "REQUEST_CHANGES" | "COMMENT"); readonly "body"?: string; readonly "comments"?: readonly { readonly "path": string; readonly "line": number; readonly "body": string; readonly "side"?: ("LEFT" | "RIGHT"); readonly "startLine"?: number; readonly "startSide"?: ("LEFT" | "RIGHT") }[] }
    readonly output: { readonly "id": string; readonly "state": ("APPROVED" | "CHANGES_REQUESTED" | "COMMENTED"); readonly "url": string; readonly "body": string }
  }
  /** Delete a review comment. */
  readonly "pr.threads.comments.delete": {
    readonly effect: "idempotent"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "prNumber": number; readonly "commentId": number }
    readonly output: { readonly "id": string; readonly "databaseId": number; readonly "deleted": boolean }
  }
  /** List all comments of one review thread, oldest first. */
  readonly "pr.threads.comments.list": {
    readonly effect: "read"
    readonly input: { readonly "threadId": string; readonly "since"?: string; readonly "first"?: number; readonly "after"?: string }
    readonly output: { readonly "thread": { readonly "id": string; readonly "isResolved": boolean; readonly "isOutdated": boolean; readonly "path": string; readonly "line": (number | null) }; readonly "items": readonly { readonly "id": string; readonly "databaseId": number; readonly "author": (string | null); readonly "body": string; readonly "createdAt": string; readonly "url": string }[]; readonly "pageInfo": { readonly "hasNextPage": boolean; readonly "endCursor": (string | null) } }
  }
  /** React to a review comment with an emoji. */
  readonly "pr.threads.comments.reactions.add": {
    readonly effect: "idempotent"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "prNumber": number; readonly "commentId": number; readonly "content": ("THUMBS_UP" | "THUMBS_DOWN" | "LAUGH" | "HOORAY" | "CONFUSED" | "HEART" | "ROCKET" | "EYES") }
    readonly output: { readonly "id": string; readonly "databaseId": number; readonly "content": ("THUMBS_UP" | "THUMBS_DOWN" | "LAUGH" | "HOORAY" | "CONFUSED" | "HEART" | "ROCKET" | "EYES") }
  }
  /** List the emoji reactions to a review comment, grouped by emoji, with the users who reacted. */
  readonly "pr.threads.comments.reactions.list": {
    readonly effect: "read"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "prNumber": number; readonly "commentId": number; readonly "reactorLogin"?: string; readonly "content"?: ("THUMBS_UP" | "THUMBS_DOWN" | "LAUGH" | "HOORAY" | "CONFUSED" | "HEART" | "ROCKET" | "EYES") }
    readonly output: { readonly "subject": { readonly "type": string; readonly "id": string; readonly "url": string }; readonly "items": readonly { readonly "content": ("THUMBS_UP" | "THUMBS_DOWN" | "LAUGH" | "HOORAY" | "CONFUSED" | "HEART" | "ROCKET" | "EYES"); readonly "reactorCount": number; readonly "reactorLogins": readonly string[]; readonly "viewerHasReacted": boolean }[]; readonly "filterApplied": { readonly "reactorLogin": (string | null); readonly "content": (string | null) } }
  }
  /** Take back one's own reaction to a review comment. */
  readonly "pr.threads.comments.reactions.remove": {
    readonly effect: "idempotent"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "prNumber": number; readonly "commentId": number; readonly "content": ("THUMBS_UP" | "THUMBS_DOWN" | "LAUGH" | "HOORAY" | "CONFUSED" | "HEART" | "ROCKET" | "EYES") }
    readonly output: { readonly "content": ("THUMBS_UP" | "THUMBS_DOWN" | "LAUGH" | "HOORAY" | "CONFUSED" | "HEART" | "ROCKET" | "EYES"); readonly "removed": boolean }
  }
  /** Write a review comment anew. */
  readonly "pr.threads.comments.update": {
    readonly effect: "idempotent"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "prNumber": number; readonly "commentId": number; readonly "body": string }
    readonly output: { readonly "id": string; readonly "databaseId": number; readonly "body": string; readonly "url": string }
  }
  /** Show one review comment, which is on a line of the diff. */
  readonly "pr.threads.comments.view": {
    readonly effect: "read"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "prNumber": number; readonly "commentId": number }
    readonly output: { readonly "id": string; readonly "databaseId": number; readonly "author": (string | null); readonly "body": string; readonly "path": string; readonly "line": (number | null); readonly "startLine": (number | null); readonly "diffHunk": string; readonly "replyTo": (number | null); readonly "createdAt": string; readonly "updatedAt": string; readonly "url": string }
  }
  /** List the review threads of a pull request with their comments, oldest first. */
  readonly "pr.threads.list": {
    readonly effect: "read"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "prNumber": number; readonly "first"?: number; readonly "after"?: string; readonly "unresolvedOnly"?: boolean; readonly "includeOutdated"?: boolean }
    readonly output: { readonly "items": readonly { readonly "id": string; readonly "path": string; readonly "line": (number | null); readonly "startLine": (number | null); readonly "diffSide": ("LEFT" | "RIGHT"); readonly "subjectType": ("LINE" | "FILE"); readonly "isResolved": boolean; readonly "isOutdated": boolean; readonly "viewerCanReply": boolean; readonly "viewerCanResolve": boolean; readonly "viewerCanUnresolve": boolean; readonly "resolvedBy": (string | null); readonly "comments": readonly { readonly "id": string; readonly "databaseId": number; readonly "author": (string | null); readonly "body": string; readonly "createdAt": string; readonly "url": string }[]; readonly "commentCount": number; readonly "commentsTruncated": boolean }[]; readonly "pageInfo": { readonly "hasNextPage": boolean; readonly "endCursor": (string | null) }; readonly "filterApplied": { readonly "unresolvedOnly": boolean; readonly "includeOutdated": boolean }; readonly "scan": { readonly "pagesScanned": number; readonly "sourceItemsScanned": number; readonly "scanTruncated": boolean } }
  }
  /** Answer in a review thread. */
  readonly "pr.threads.reply": {
    readonly effect: "write"
    readonly input: { readonly "threadId": string; readonly "body": string }
    readonly output: { readonly "id": string; readonly "isResolved": boolean; readonly "commentId": string; readonly "commentUrl": string }
  }
  /** Mark a review thread as resolved. */
  readonly "pr.threads.resolve": {
    readonly effect: "idempotent"
    readonly input: { readonly "threadId": string }
    readonly output: { readonly "id": string; readonly "isResolved": boolean }
  }
  /** Open a resolved review thread again. */
  readonly "pr.threads.unresolve": {
    readonly effect: "idempotent"
    readonly input: { readonly "threadId": string }
    readonly output: { readonly "id": string; readonly "isResolved": boolean }
  }
  /** Change a pull request. */
  readonly "pr.update": {
    readonly effect: "idempotent"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "prNumber": number; readonly "title"?: string; readonly "body"?: string; readonly "draft"?: boolean; readonly "labels"?: readonly string[]; readonly "assignees"?: readonly string[]; readonly "milestoneNumber"?: number; readonly "reviewers"?: readonly string[]; readonly "teamReviewers"?: readonly string[]; readonly "projectNumber"?: number }
    readonly output: { readonly "number": number; readonly "url": string; readonly "title": string; readonly "state": ("OPEN" | "CLOSED" | "MERGED"); readonly "draft": boolean; readonly "labels"?: readonly string[]; readonly "assignees"?: readonly string[]; readonly "milestone"?: ({ readonly "number": number; readonly "title": string } | null); readonly "reviewers"?: readonly string[]; readonly "teamReviewers"?: (readonly string[] | null); readonly "projectItemId"?: (string | null) }
  }
  /** Show one pull request. */
  readonly "pr.view": {
    readonly effect: "read"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "prNumber": number; readonly "exclude"?: readonly "body"[]; readonly "include"?: readonly ("reviewDecision" | "mergeQueueEntry" | "teamReviewRequests")[] }
    readonly output: { readonly "id": string; readonly "number": number; readonly "title": string; readonly "state": ("OPEN" | "CLOSED" | "MERGED"); readonly "url": string; readonly "isDraft": boolean; readonly "author": (string | null); readonly "headRefName": string; readonly "headRefOid": string; readonly "headRepository": (string | null); readonly "isCrossRepository": boolean; readonly "baseRefName": string; readonly "mergeable": ("MERGEABLE" | "CONFLICTING" | "UNKNOWN"); readonly "mergeStateStatus": ("BEHIND" | "BLOCKED" | "CLEAN" | "DIRTY" | "DRAFT" | "HAS_HOOKS" | "UNKNOWN" | "UNSTABLE"); readonly "reviewDecision"?: ("APPROVED" | "CHANGES_REQUESTED" | "REVIEW_REQUIRED" | null); readonly "reviewRequests": readonly string[]; readonly "teamReviewRequests"?: readonly string[]; readonly "assignees": readonly string[]; readonly "labels": readonly string[]; readonly "milestone": ({ readonly "number": number; readonly "title": string } | null); readonly "additions": number; readonly "deletions": number; readonly "changedFiles": number; readonly "commentCount": number; readonly "createdAt": string; readonly "updatedAt": string; readonly "closedAt": (string | null); readonly "mergedAt": (string | null); readonly "mergedBy": (string | null); readonly "autoMergeRequest": ({ readonly "enabledBy": (string | null); readonly "mergeMethod": ("MERGE" | "SQUASH" | "REBASE") } | null); readonly "mergeQueueEntry"?: ({ readonly "state": ("AWAITING_CHECKS" | "LOCKED" | "MERGEABLE" | "QUEUED" | "UNMERGEABLE"); readonly "position": number; readonly "enqueuedAt": string; readonly "enqueuer": (string | null) } | null); readonly "body"?: string }
  }
  /** List the fields that the items of a project have, with the options to choose from. */
  readonly "project_v2.fields.list": {
    readonly effect: "read"
    readonly input: { readonly "owner": string; readonly "projectNumber": number; readonly "first"?: number; readonly "after"?: string }
    readonly output: { readonly "items": readonly { readonly "id": string; readonly "name": string; readonly "dataType": string; readonly "options": (readonly { readonly "id": string; readonly "name": string }[] | null); readonly "iterations": (readonly { readonly "id": string; readonly "title": string; readonly "startDate": string; readonly "duration": number; readonly "isCompleted": boolean }[] | null) }[]; readonly "pageInfo": { readonly "hasNextPage": boolean; readonly "endCursor": (string | null) } }
  }
  /** Set or clear one field of an item in a project. */
  readonly "project_v2.items.field.update": {
    readonly effect: "idempotent"
    readonly input: { readonly "projectId": string; readonly "itemId": string; readonly "fieldId": string; readonly "valueText"?: string; readonly "valueNumber"?: number; readonly "valueDate"?: string; readonly "valueSingleSelectOptionId"?: string; readonly "valueIterationId"?: string; readonly "clear"?: boolean }
    readonly output: { readonly "itemId": string }
  }
  /** Add an issue or pull request to a project; returns the existing item if it is in the project already. */
  readonly "project_v2.items.issue.add": {
    readonly effect: "idempotent"
    readonly input: { readonly "owner": string; readonly "projectNumber": number; readonly "issueUrl": string }
    readonly output: { readonly "itemId": string; readonly "itemType": ("ISSUE" | "PULL_REQUEST") }
  }
  /** Remove an item from a project. */
  readonly "project_v2.items.issue.remove": {
    readonly effect: "idempotent"
    readonly input: { readonly "owner": string; readonly "projectNumber": number; readonly "itemId": string }
    readonly output: { readonly "deletedItemId": string }
  }
  /** List the issues, pull requests and drafts in a project. */
  readonly "project_v2.items.list": {
    readonly effect: "read"
    readonly input: { readonly "owner": string; readonly "projectNumber": number; readonly "first"?: number; readonly "after"?: string }
    readonly output: { readonly "items": readonly { readonly "id": string; readonly "contentType": ("ISSUE" | "PULL_REQUEST" | "DRAFT_ISSUE" | "REDACTED"); readonly "contentNumber": (number | null); readonly "contentTitle": (string | null); readonly "contentUrl": (string | null); readonly "isArchived": boolean; readonly "createdAt": string; readonly "updatedAt": string }[]; readonly "pageInfo": { readonly "hasNextPage": boolean; readonly "endCursor": (string | null) } }
  }
  /** List the projects of a user or organisation, the newest first. */
  readonly "project_v2.list": {
    readonly effect: "read"
    readonly input: { readonly "owner": string; readonly "first"?: number; readonly "after"?: string }
    readonly output: { readonly "items": readonly { readonly "id": string; readonly "number": number; readonly "title": string; readonly "shortDescription": (string | null); readonly "public": boolean; readonly "closed": boolean; readonly "template": boolean; readonly "url": string; readonly "updatedAt": string }[]; readonly "pageInfo": { readonly "hasNextPage": boolean; readonly "endCursor": (string | null) } }
  }
  /** Show one project of an organisation. */
  readonly "project_v2.org.view": {
    readonly effect: "read"
    readonly input: { readonly "org": string; readonly "projectNumber": number; readonly "include"?: readonly ("readme" | "itemCount")[] }
    readonly output: { readonly "id": string; readonly "number": number; readonly "title": string; readonly "shortDescription": (string | null); readonly "owner": string; readonly "creator": (string | null); readonly "public": boolean; readonly "closed": boolean; readonly "template": boolean; readonly "url": string; readonly "closedAt": (string | null); readonly "createdAt": string; readonly "updatedAt": string; readonly "readme"?: (string | null); readonly "itemCount"?: number }
  }
  /** Show one project of a user. */
  readonly "project_v2.user.view": {
    readonly effect: "read"
    readonly input: { readonly "user": string; readonly "projectNumber": number; readonly "include"?: readonly ("readme" | "itemCount")[] }
    readonly output: { readonly "id": string; readonly "number": number; readonly "title": string; readonly "shortDescription": (string | null); readonly "owner": string; readonly "creator": (string | null); readonly "public": boolean; readonly "closed": boolean; readonly "template": boolean; readonly "url": string; readonly "closedAt": (string | null); readonly "createdAt": string; readonly "updatedAt": string; readonly "readme"?: (string | null); readonly "itemCount"?: number }
  }
  /** Show how much of each GitHub quota is left. */
  readonly "rate_limit.view": {
    readonly effect: "read"
    readonly input: { readonly [name: string]: never }
    readonly output: { readonly "items": readonly { readonly "resource": string; readonly "limit": number; readonly "used": number; readonly "remaining": number; readonly "resetAt": string }[] }
  }
  /** Delete a file of a release. */
  readonly "release.assets.delete": {
    readonly effect: "idempotent"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "assetId": number }
    readonly output: { readonly "assetId": number; readonly "deleted": boolean }
  }
  /** List the files of a release, those of drafts too. */
  readonly "release.assets.list": {
    readonly effect: "read"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "releaseId": number; readonly "first"?: number; readonly "after"?: string }
    readonly output: { readonly "items": readonly { readonly "assetId": number; readonly "name": string; readonly "label": (string | null); readonly "state": string; readonly "contentType": string; readonly "size": number; readonly "downloadCount": number; readonly "url": string; readonly "uploader": (string | null); readonly "createdAt": string }[]; readonly "pageInfo": { readonly "hasNextPage": boolean; readonly "endCursor": (string | null) } }
  }
  /** Add a file to a release or a draft. */
  readonly "release.assets.upload": {
    readonly effect: "write"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "releaseId": number; readonly "assetName": string; readonly "label"?: string; readonly "contentType"?: string; readonly "content": string }
    readonly output: { readonly "assetId": number; readonly "name": string; readonly "label": (string | null); readonly "state": string; readonly "contentType": string; readonly "size": number; readonly "downloadCount": number; readonly "url": string; readonly "uploader": (string | null); readonly "createdAt": string }
  }
  /** Draft a release, or publish it at once. */
  readonly "release.create": {
    readonly effect: "write"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "tagName": string; readonly "title"?: string; readonly "notes"?: string; readonly "targetCommitish"?: string; readonly "prerelease"?: boolean; readonly "draft"?: boolean; readonly "generateNotes"?: boolean; readonly "assets"?: readonly { readonly "name": string; readonly "label"?: string; readonly "contentType"?: string; readonly "content": string }[] }
    readonly output: { readonly "id": number; readonly "tagName": string; readonly "name": (string | null); readonly "isDraft": boolean; readonly "isPrerelease": boolean; readonly "url": string; readonly "targetCommitish": string; readonly "createdAt": string; readonly "publishedAt": (string | null); readonly "assets"?: readonly { readonly "assetId": number; readonly "name": string; readonly "size": number }[] }
  }
  /** Delete a release and its files. */
  readonly "release.delete": {
    readonly effect: "idempotent"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "releaseId": number }
    readonly output: { readonly "releaseId": number; readonly "deleted": boolean }
  }
  /** List the draft releases of a repository, newest first. */
  readonly "release.drafts.list": {
    readonly effect: "read"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "includePublished"?: boolean; readonly "first"?: number; readonly "after"?: string }
    readonly output: { readonly "items": readonly { readonly "id": number; readonly "tagName": string; readonly "name": (string | null); readonly "isDraft": boolean; readonly "isPrerelease": boolean; readonly "url": string; readonly "targetCommitish": string; readonly "author": (string | null); readonly "createdAt": string; readonly "updatedAt": (string | null); readonly "publishedAt": (string | null) }[]; readonly "pageInfo": { readonly "hasNextPage": boolean; readonly "endCursor": (string | null) } }
  }
  /** List the releases of a repository, newest first. */
  readonly "release.list": {
    readonly effect: "read"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "prefix"?: string; readonly "first"?: number; readonly "after"?: string }
    readonly output: { readonly "items": readonly { readonly "id": number; readonly "tagName": string; readonly "name": (string | null); readonly "isDraft": boolean; readonly "isPrerelease": boolean; readonly "url": string; readonly "createdAt": string; readonly "publishedAt": (string | null) }[]; readonly "pageInfo": { readonly "hasNextPage": boolean; readonly "endCursor": (string | null) } }
  }
  /** Publish a draft release, and create its tag if it does not exist. */
  readonly "release.publish": {
    readonly effect: "idempotent"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "releaseId": number; readonly "title"?: string; readonly "notes"?: string; readonly "prerelease"?: boolean }
    readonly output: { readonly "id": number; readonly "tagName": string; readonly "name": (string | null); readonly "isDraft": boolean; readonly "isPrerelease": boolean; readonly "url": string; readonly "targetCommitish": string; readonly "createdAt": string; readonly "publishedAt": (string | null); readonly "wasDraft": boolean }
  }
  /** Change a release; members that are left out stay unchanged. */
  readonly "release.update": {
    readonly effect: "idempotent"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "releaseId": number; readonly "tagName"?: string; readonly "title"?: string; readonly "notes"?: string; readonly "targetCommitish"?: string; readonly "prerelease"?: boolean; readonly "draft"?: boolean }
    readonly output: { readonly "id": number; readonly "tagName": string; readonly "name": (string | null); readonly "isDraft": boolean; readonly "isPrerelease": boolean; readonly "url": string; readonly "targetCommitish": string; readonly "createdAt": string; readonly "publishedAt": (string | null) }
  }
  /** Show the published release of a tag. */
  readonly "release.view": {
    readonly effect: "read"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "tagName": string }
    readonly output: { readonly "id": number; readonly "tagName": string; readonly "name": (string | null); readonly "isDraft": boolean; readonly "isPrerelease": boolean; readonly "url": string; readonly "targetCommitish": string; readonly "createdAt": string; readonly "publishedAt": (string | null); readonly "author": (string | null); readonly "assets": readonly { readonly "name": string; readonly "size": number; readonly "downloadCount": number; readonly "contentType": string; readonly "url": string }[]; readonly "notes": string }
  }
  /** Archive a repository, which makes it read-only. */
  readonly "repo.archive": {
    readonly effect: "idempotent"
    readonly input: { readonly "owner": string; readonly "name": string }
    readonly output: { readonly "isArchived": boolean }
  }
  /** Show for each line of a file which commit wrote it last. */
  readonly "repo.blame.view": {
    readonly effect: "read"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "path": string; readonly "ref"?: string }
    readonly output: { readonly "path": string; readonly "sha": string; readonly "ranges": readonly { readonly "startLine": number; readonly "endLine": number; readonly "commit": { readonly "sha": string; readonly "message": string; readonly "url": string; readonly "author": { readonly "name": (string | null); readonly "email": (string | null); readonly "login": (string | null) }; readonly "authoredAt": string; readonly "committedAt": string } }[] }
  }
  /** Create a branch. */
  readonly "repo.branch.create": {
    readonly effect: "write"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "branch": string; readonly "from"?: string }
    readonly output: { readonly "name": string; readonly "sha": string }
  }
  /** Delete a branch. */
  readonly "repo.branch.delete": {
    readonly effect: "idempotent"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "branch": string; readonly "sha"?: string }
    readonly output: { readonly "name": string; readonly "sha": string; readonly "deleted": boolean }
  }
  /** Show how a branch is protected, for administrators. */
  readonly "repo.branch.protection.view": {
    readonly effect: "read"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "branch": string }
    readonly output: { readonly "requiresApprovingReviews": boolean; readonly "requiredApprovingReviewCount": (number | null); readonly "requiredStatusChecks": readonly { readonly "context": string; readonly "appId": (number | null) }[]; readonly "pushActors": readonly { readonly "type": ("USER" | "TEAM" | "APP"); readonly "name": string }[]; readonly "dismissesStaleReviews": boolean; readonly "requiresCodeOwnerReviews": boolean; readonly "requireLastPushApproval": boolean; readonly "restrictsReviewDismissals": boolean; readonly "requiresStatusChecks": boolean; readonly "requiresStrictStatusChecks": boolean; readonly "isAdminEnforced": boolean; readonly "requiresLinearHistory": boolean; readonly "requiresCommitSignatures": boolean; readonly "requiresConversationResolution": boolean; readonly "allowsForcePushes": boolean; readonly "allowsDeletions": boolean; readonly "blocksCreations": boolean; readonly "lockBranch": boolean; readonly "lockAllowsFetchAndMerge": boolean; readonly "restrictsPushes": boolean }
  }
  /** Rename a branch. */
  readonly "repo.branch.rename": {
    readonly effect: "idempotent"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "branch": string; readonly "newName": string }
    readonly output: { readonly "name": string; readonly "sha": string }
  }
  /** List the active rules of all rulesets that apply to a branch. */
  readonly "repo.branch.rules.list": {
    readonly effect: "read"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "branch": string; readonly "first"?: number; readonly "after"?: string }
    readonly output: { readonly "items": readonly { readonly "type": string; readonly "parameters": ({ readonly [name: string]: unknown } | null); readonly "rulesetId": (number | null); readonly "sourceType": (string | null); readonly "source": (string | null) }[]; readonly "pageInfo": { readonly "hasNextPage": boolean; readonly "endCursor": (string | null) } }
  }
  /** List the branches of a repository, in the order of their names. */
  readonly "repo.branches.list": {
    readonly effect: "read"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "prefix"?: string; readonly "first"?: number; readonly "after"?: string }
    readonly output: { readonly "items": readonly { readonly "name": string; readonly "sha": string }[]; readonly "pageInfo": { readonly "hasNextPage": boolean; readonly "endCursor": (string | null) } }
  }
  /** Dismiss an alert of code scanning, with the reason why nobody needs to fix it. */
  readonly "repo.code_scanning.alert.dismiss": {
    readonly effect: "idempotent"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "alertNumber": number; readonly "reason": ("FALSE_POSITIVE" | "WONT_FIX" | "USED_IN_TESTS" | "MITIGATED"); readonly "comment"?: string }
    readonly output: { readonly "number": number; readonly "state": "DISMISSED"; readonly "dismissedReason": string; readonly "dismissedAt": (string | null); readonly "dismissedBy": (string | null); readonly "url": string }
  }
  /** Reopen an alert of code scanning that was dismissed. */
  readonly "repo.code_scanning.alert.reopen": {
    readonly effect: "idempotent"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "alertNumber": number }
    readonly output: { readonly "number": number; readonly "state": "OPEN"; readonly "url": string }
  }
  /** Show an alert of code scanning, and how to fix it. */
  readonly "repo.code_scanning.alert.view": {
    readonly effect: "read"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "alertNumber": number }
    readonly output: { readonly "number": number; readonly "state": ("OPEN" | "DISMISSED" | "FIXED" | null); readonly "ruleId": (string | null); readonly "ruleDescription": (string | null); readonly "severity": ("NONE" | "NOTE" | "WARNING" | "ERROR" | null); readonly "securitySeverity": ("LOW" | "MEDIUM" | "HIGH" | "CRITICAL" | null); readonly "tool": (string | null); readonly "message": (string | null); readonly "ref": (string | null); readonly "commitSha": (string | null); readonly "path": (string | null); readonly "startLine": (number | null); readonly "endLine": (number | null); readonly "createdAt": string; readonly "updatedAt": (string | null); readonly "fixedAt": (string | null); readonly "dismissedAt": (string | null); readonly "dismissedBy": (string | null); readonly "dismissedReason": ("FALSE_POSITIVE" | "WONT_FIX" | "USED_IN_TESTS" | "MITIGATED" | null); readonly "dismissedComment": (string | null); readonly "url": string; readonly "toolVersion": (string | null); readonly "tags": readonly string[]; readonly "help": (string | null); readonly "helpUrl": (string | null) }
  }
  /** List the alerts of code scanning on a branch, newest first unless asked otherwise. */
  readonly "repo.code_scanning.alerts.list": {
    readonly effect: "read"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "state"?: ("OPEN" | "DISMISSED" | "FIXED"); readonly "tool"?: string; readonly "ref"?: string; readonly "sort"?: ("created" | "updated"); readonly "direction"?: ("asc" | "desc"); readonly "first"?: number; readonly "after"?: string }
    readonly output: { readonly "items": readonly { readonly "number": number; readonly "state": ("OPEN" | "DISMISSED" | "FIXED" | null); readonly "ruleId": (string | null); readonly "ruleDescription": (string | null); readonly "severity": ("NONE" | "NOTE" | "WARNING" | "ERROR" | null); readonly "securitySeverity": ("LOW" | "MEDIUM" | "HIGH" | "CRITICAL" | null); readonly "tool": (string | null); readonly "message": (string | null); readonly "ref": (string | null); readonly "commitSha": (string | null); readonly "path": (string | null); readonly "startLine": (number | null); readonly "endLine": (number | null); readonly "createdAt": string; readonly "updatedAt": (string | null); readonly "fixedAt": (string | null); readonly "dismissedAt": (string | null); readonly "dismissedBy": (string | null); readonly "dismissedReason": ("FALSE_POSITIVE" | "WONT_FIX" | "USED_IN_TESTS" | "MITIGATED" | null); readonly "dismissedComment": (string | null); readonly "url": string }[]; readonly "pageInfo": { readonly "hasNextPage": boolean; readonly "endCursor": (string | null) } }
  }
  /** List the errors in the CODEOWNERS file of a repository, such as owners that do not exist. */
  readonly "repo.codeowners.errors.list": {
    readonly effect: "read"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "ref"?: string }
    readonly output: { readonly "items": readonly { readonly "path": string; readonly "line": number; readonly "column": number; readonly "kind": string; readonly "message": string; readonly "source": string; readonly "suggestion": (string | null) }[] }
  }
  /** Give a user access to a repository, or change the access. */
  readonly "repo.collaborators.add": {
    readonly effect: "idempotent"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "login": string; readonly "permission"?: ("READ" | "TRIAGE" | "WRITE" | "MAINTAIN" | "ADMIN") }
    readonly output: { readonly "login": string; readonly "permission": ("READ" | "TRIAGE" | "WRITE" | "MAINTAIN" | "ADMIN"); readonly "invitationId": (number | null) }
  }
  /** List the collaborators of a repository with their permission. */
  readonly "repo.collaborators.list": {
    readonly effect: "read"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "affiliation"?: ("ALL" | "DIRECT" | "OUTSIDE"); readonly "first"?: number; readonly "after"?: string }
    readonly output: { readonly "items": readonly { readonly "id": string; readonly "login": string; readonly "permission": ("READ" | "TRIAGE" | "WRITE" | "MAINTAIN" | "ADMIN"); readonly "roleName": string; readonly "isSiteAdmin": boolean }[]; readonly "pageInfo": { readonly "hasNextPage": boolean; readonly "endCursor": (string | null) } }
  }
  /** Take away the access that a user has as a collaborator. */
  readonly "repo.collaborators.remove": {
    readonly effect: "idempotent"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "login": string }
    readonly output: { readonly "login": string; readonly "removed": boolean }
  }
  /** Write, move and delete several files of a branch in one commit. */
  readonly "repo.commit.create": {
    readonly effect: "write"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "branch": string; readonly "message": string; readonly "expectedHead"?: string; readonly "changes": readonly { readonly "path": string; readonly "content"?: string; readonly "encoding"?: ("utf-8" | "base64"); readonly "from"?: string; readonly "delete"?: true }[] }
    readonly output: { readonly "branch": string; readonly "commitSha": string; readonly "commitUrl": string }
  }
  /** Show the combined state of a commit's statuses, and the latest status of each context by name. */
  readonly "repo.commit.status.view": {
    readonly effect: "read"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "ref": string }
    readonly output: { readonly "sha": string; readonly "state": ("SUCCESS" | "PENDING" | "FAILURE"); readonly "statuses": readonly { readonly "id": string; readonly "context": string; readonly "state": ("ERROR" | "FAILURE" | "PENDING" | "SUCCESS"); readonly "description": (string | null); readonly "targetUrl": (string | null); readonly "createdAt": string }[] }
  }
  /** Report a status of a commit, such as the result of a check. */
  readonly "repo.commit.statuses.create": {
    readonly effect: "write"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "sha": string; readonly "state": ("ERROR" | "FAILURE" | "PENDING" | "SUCCESS"); readonly "context"?: string; readonly "description"?: string; readonly "targetUrl"?: string }
    readonly output: { readonly "id": string; readonly "context": string; readonly "state": ("ERROR" | "FAILURE" | "PENDING" | "SUCCESS"); readonly "description": (string | null); readonly "targetUrl": (string | null); readonly "createdAt": string }
  }
  /** List all statuses of a commit, newest first. */
  readonly "repo.commit.statuses.list": {
    readonly effect: "read"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "ref": string; readonly "first"?: number; readonly "after"?: string }
    readonly output: { readonly "items": readonly { readonly "id": string; readonly "context": string; readonly "state": ("ERROR" | "FAILURE" | "PENDING" | "SUCCESS"); readonly "description": (string | null); readonly "targetUrl": (string | null); readonly "creator": (string | null); readonly "createdAt": string }[]; readonly "pageInfo": { readonly "hasNextPage": boolean; readonly "endCursor": (string | null) } }
  }
  /** Show one commit. */
  readonly "repo.commit.view": {
    readonly effect: "read"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "ref": string }
    readonly output: { readonly "sha": string; readonly "message": string; readonly "url": string; readonly "author": { readonly "name": (string | null); readonly "email": (string | null); readonly "login": (string | null) }; readonly "authoredAt": string; readonly "committedAt": string; readonly "treeSha": string; readonly "parents": readonly string[]; readonly "additions": number; readonly "deletions": number }
  }
  /** List the commits that lead to a branch, tag or commit, newest first. */
  readonly "repo.commits.list": {
    readonly effect: "read"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "ref"?: string; readonly "author"?: string; readonly "path"?: string; readonly "since"?: string; readonly "until"?: string; readonly "first"?: number; readonly "after"?: string }
    readonly output: { readonly "items": readonly { readonly "sha": string; readonly "message": string; readonly "url": string; readonly "author": { readonly "name": (string | null); readonly "email": (string | null); readonly "login": (string | null) }; readonly "authoredAt": string; readonly "committedAt": string }[]; readonly "pageInfo": { readonly "hasNextPage": boolean; readonly "endCursor": (string | null) } }
  }
  /** Compare two branches, tags or commits, and show the commits and changes that head has and base lacks. */
  readonly "repo.compare": {
    readonly effect: "read"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "base": string; readonly "head": string }
    readonly output: { readonly "status": ("AHEAD" | "BEHIND" | "DIVERGED" | "IDENTICAL"); readonly "aheadBy": number; readonly "behindBy": number; readonly "mergeBaseSha": string; readonly "totalCommits": number; readonly "commits": readonly { readonly "sha": string; readonly "message": string; readonly "url": string; readonly "author": { readonly "name": (string | null); readonly "email": (string | null); readonly "login": (string | null) }; readonly "authoredAt": string; readonly "committedAt": string }[]; readonly "commitsTruncated": boolean; readonly "files": readonly { readonly "path": string; readonly "previousPath": (string | null); readonly "status": ("ADDED" | "DELETED" | "MODIFIED" | "RENAMED" | "COPIED" | "CHANGED" | "UNCHANGED"); readonly "additions": number; readonly "deletions": number; readonly "patch": (string | null) }[]; readonly "filesTruncated": boolean }
  }
  /** Delete one file of a branch, in one commit. */
  readonly "repo.contents.delete": {
    readonly effect: "write"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "path": string; readonly "message": string; readonly "branch"?: string; readonly "sha": string }
    readonly output: { readonly "path": string; readonly "commitSha": string; readonly "commitUrl": string }
  }
  /** Write one file of a branch, in one commit. */
  readonly "repo.contents.put": {
    readonly effect: "write"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "path": string; readonly "message": string; readonly "content": string; readonly "encoding"?: ("utf-8" | "base64"); readonly "branch"?: string; readonly "sha"?: string }
    readonly output: { readonly "path": string; readonly "sha": (string | null); readonly "commitSha": string; readonly "commitUrl": string }
  }
  /** Read one file, text as it is, anything else as Base64. */
  readonly "repo.contents.view": {
    readonly effect: "read"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "path": string; readonly "ref"?: string }
    readonly output: { readonly "path": string; readonly "sha": string; readonly "size": number; readonly "encoding": ("utf-8" | "base64" | "none"); readonly "content": (string | null); readonly "truncated": boolean; readonly "symbolicLink": (boolean | null) }
  }
  /** Create a repository in your own account or in an organisation. */
  readonly "repo.create": {
    readonly effect: "write"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "description"?: string; readonly "homepageUrl"?: string; readonly "visibility"?: ("PUBLIC" | "PRIVATE"); readonly "autoInit"?: boolean }
    readonly output: { readonly "id": string; readonly "name": string; readonly "nameWithOwner": string; readonly "isPrivate": boolean; readonly "url": string }
  }
  /** Dismiss a Dependabot alert, with the reason why nobody needs to fix it. */
  readonly "repo.dependabot.alert.dismiss": {
    readonly effect: "idempotent"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "alertNumber": number; readonly "reason": ("FIX_STARTED" | "INACCURATE" | "NO_BANDWIDTH" | "NOT_USED" | "TOLERABLE_RISK"); readonly "comment"?: string }
    readonly output: { readonly "number": number; readonly "state": "DISMISSED"; readonly "dismissedReason": string; readonly "dismissedAt": (string | null); readonly "dismissedBy": (string | null); readonly "url": string }
  }
  /** Reopen a Dependabot alert that was dismissed. */
  readonly "repo.dependabot.alert.reopen": {
    readonly effect: "idempotent"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "alertNumber": number }
    readonly output: { readonly "number": number; readonly "state": "OPEN"; readonly "url": string }
  }
  /** Show a Dependabot alert with its advisory. */
  readonly "repo.dependabot.alert.view": {
    readonly effect: "read"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "alertNumber": number }
    readonly output: { readonly "number": number; readonly "state": ("OPEN" | "DISMISSED" | "FIXED" | "AUTO_DISMISSED"); readonly "package": string; readonly "ecosystem": string; readonly "manifestPath": (string | null); readonly "scope": ("DEVELOPMENT" | "RUNTIME" | null); readonly "relationship": (string | null); readonly "severity": ("LOW" | "MEDIUM" | "HIGH" | "CRITICAL"); readonly "summary": string; readonly "ghsaId": string; readonly "cveId": (string | null); readonly "vulnerableVersionRange": string; readonly "firstPatchedVersion": (string | null); readonly "createdAt": string; readonly "updatedAt": string; readonly "fixedAt": (string | null); readonly "dismissedAt": (string | null); readonly "dismissedBy": (string | null); readonly "dismissedReason": ("FIX_STARTED" | "INACCURATE" | "NO_BANDWIDTH" | "NOT_USED" | "TOLERABLE_RISK" | null); readonly "dismissedComment": (string | null); readonly "url": string; readonly "description": string; readonly "cvssScore": number; readonly "cvssVector": (string | null); readonly "cwes": readonly string[]; readonly "references": readonly string[]; readonly "publishedAt": string; readonly "withdrawnAt": (string | null) }
  }
  /** List the Dependabot alerts of a repository, that is its dependencies with known vulnerabilities; newest first unless asked otherwise. */
  readonly "repo.dependabot.alerts.list": {
    readonly effect: "read"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "states"?: readonly ("OPEN" | "DISMISSED" | "FIXED" | "AUTO_DISMISSED")[]; readonly "severities"?: readonly ("LOW" | "MEDIUM" | "HIGH" | "CRITICAL")[]; readonly "ecosystems"?: readonly string[]; readonly "packages"?: readonly string[]; readonly "manifests"?: readonly string[]; readonly "scope"?: ("DEVELOPMENT" | "RUNTIME"); readonly "relationships"?: readonly ("DIRECT" | "TRANSITIVE" | "INCONCLUSIVE" | "UNKNOWN")[]; readonly "hasPatch"?: boolean; readonly "sort"?: ("created" | "updated" | "epss_percentage"); readonly "direction"?: ("asc" | "desc"); readonly "first"?: number; readonly "after"?: string }
    readonly output: { readonly "items": readonly { readonly "number": number; readonly "state": ("OPEN" | "DISMISSED" | "FIXED" | "AUTO_DISMISSED"); readonly "package": string; readonly "ecosystem": string; readonly "manifestPath": (string | null); readonly "scope": ("DEVELOPMENT" | "RUNTIME" | null); readonly "relationship": (string | null); readonly "severity": ("LOW" | "MEDIUM" | "HIGH" | "CRITICAL"); readonly "summary": string; readonly "ghsaId": string; readonly "cveId": (string | null); readonly "vulnerableVersionRange": string; readonly "firstPatchedVersion": (string | null); readonly "createdAt": string; readonly "updatedAt": string; readonly "fixedAt": (string | null); readonly "dismissedAt": (string | null); readonly "dismissedBy": (string | null); readonly "dismissedReason": ("FIX_STARTED" | "INACCURATE" | "NO_BANDWIDTH" | "NOT_USED" | "TOLERABLE_RISK" | null); readonly "dismissedComment": (string | null); readonly "url": string }[]; readonly "pageInfo": { readonly "hasNextPage": boolean; readonly "endCursor": (string | null) } }
  }
  /** List the statuses of a deployment, newest first. */
  readonly "repo.deployment.statuses.list": {
    readonly effect: "read"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "deploymentId": number; readonly "first"?: number; readonly "after"?: string }
    readonly output: { readonly "items": readonly { readonly "id": string; readonly "statusId": number; readonly "state": string; readonly "description": string; readonly "environment": (string | null); readonly "environmentUrl": (string | null); readonly "logUrl": (string | null); readonly "creator": (string | null); readonly "createdAt": string }[]; readonly "pageInfo": { readonly "hasNextPage": boolean; readonly "endCursor": (string | null) } }
  }
  /** Show a deployment and its latest status. */
  readonly "repo.deployment.view": {
    readonly effect: "read"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "deploymentId": number }
    readonly output: { readonly "id": string; readonly "deploymentId": number; readonly "environment": string; readonly "ref": string; readonly "sha": string; readonly "task": string; readonly "description": (string | null); readonly "creator": (string | null); readonly "isProduction": boolean; readonly "isTransient": boolean; readonly "createdAt": string; readonly "updatedAt": string; readonly "latestStatus": ({ readonly "id": string; readonly "statusId": number; readonly "state": string; readonly "description": string; readonly "environment": (string | null); readonly "environmentUrl": (string | null); readonly "logUrl": (string | null); readonly "creator": (string | null); readonly "createdAt": string } | null) }
  }
  /** List the deployments of a repository, newest first. */
  readonly "repo.deployments.list": {
    readonly effect: "read"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "environment"?: string; readonly "ref"?: string; readonly "sha"?: string; readonly "task"?: string; readonly "first"?: number; readonly "after"?: string }
    readonly output: { readonly "items": readonly { readonly "id": string; readonly "deploymentId": number; readonly "environment": string; readonly "ref": string; readonly "sha": string; readonly "task": string; readonly "description": (string | null); readonly "creator": (string | null); readonly "isProduction": boolean; readonly "isTransient": boolean; readonly "createdAt": string; readonly "updatedAt": string }[]; readonly "pageInfo": { readonly "hasNextPage": boolean; readonly "endCursor": (string | null) } }
  }
  /** Show an environment, its reviewers, its waiting time and which branches may deploy to it. */
  readonly "repo.environment.view": {
    readonly effect: "read"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "environment": string }
    readonly output: { readonly "environmentId": number; readonly "name": string; readonly "url": string; readonly "waitTimer": number; readonly "reviewers": readonly { readonly "type": ("USER" | "TEAM"); readonly "name": string }[]; readonly "preventsSelfReview": boolean; readonly "branchPolicy": ("ALL" | "PROTECTED" | "CUSTOM"); readonly "createdAt": string; readonly "updatedAt": string; readonly "branchPatterns": readonly string[] }
  }
  /** List the environments that a repository deploys to, with their reviewers and waiting times. */
  readonly "repo.environments.list": {
    readonly effect: "read"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "first"?: number; readonly "after"?: string }
    readonly output: { readonly "items": readonly { readonly "environmentId": number; readonly "name": string; readonly "url": string; readonly "waitTimer": number; readonly "reviewers": readonly { readonly "type": ("USER" | "TEAM"); readonly "name": string }[]; readonly "preventsSelfReview": boolean; readonly "branchPolicy": ("ALL" | "PROTECTED" | "CUSTOM"); readonly "createdAt": string; readonly "updatedAt": string }[]; readonly "pageInfo": { readonly "hasNextPage": boolean; readonly "endCursor": (string | null) } }
  }
  /** Fork a repository into your own account or an organisation; returns the existing fork if there is one. */
  readonly "repo.fork": {
    readonly effect: "idempotent"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "organization"?: string; readonly "forkName"?: string; readonly "defaultBranchOnly"?: boolean }
    readonly output: { readonly "id": string; readonly "name": string; readonly "nameWithOwner": string; readonly "isPrivate": boolean; readonly "url": string; readonly "isFork": boolean; readonly "parent": string }
  }
  /** Take back an invitation to a repository. */
  readonly "repo.invitations.cancel": {
    readonly effect: "idempotent"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "invitationId": number }
    readonly output: { readonly "invitationId": number; readonly "cancelled": boolean }
  }
  /** List the users who are invited to a repository and have not answered yet. */
  readonly "repo.invitations.list": {
    readonly effect: "read"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "first"?: number; readonly "after"?: string }
    readonly output: { readonly "items": readonly { readonly "invitationId": number; readonly "invitee": (string | null); readonly "inviter": (string | null); readonly "permission": ("READ" | "TRIAGE" | "WRITE" | "MAINTAIN" | "ADMIN"); readonly "createdAt": string; readonly "isExpired": boolean }[]; readonly "pageInfo": { readonly "hasNextPage": boolean; readonly "endCursor": (string | null) } }
  }
  /** List the types that issues of a repository can have. */
  readonly "repo.issue_types.list": {
    readonly effect: "read"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "first"?: number; readonly "after"?: string }
    readonly output: { readonly "items": readonly { readonly "id": string; readonly "name": string; readonly "description": (string | null); readonly "color": ("BLUE" | "GRAY" | "GREEN" | "ORANGE" | "PINK" | "PURPLE" | "RED" | "YELLOW"); readonly "isEnabled": boolean }[]; readonly "pageInfo": { readonly "hasNextPage": boolean; readonly "endCursor": (string | null) } }
  }
  /** Create a label; an existing label with the same color and description stays unchanged. */
  readonly "repo.labels.create": {
    readonly effect: "idempotent"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "label": string; readonly "color"?: string; readonly "description"?: string }
    readonly output: { readonly "id": string; readonly "name": string; readonly "description": (string | null); readonly "color": string; readonly "isDefault": boolean }
  }
  /** Delete a label. */
  readonly "repo.labels.delete": {
    readonly effect: "idempotent"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "label": string }
    readonly output: { readonly "name": string; readonly "deleted": boolean }
  }
  /** List the labels of a repository, by name. */
  readonly "repo.labels.list": {
    readonly effect: "read"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "prefix"?: string; readonly "first"?: number; readonly "after"?: string }
    readonly output: { readonly "items": readonly { readonly "id": string; readonly "name": string; readonly "description": (string | null); readonly "color": string; readonly "isDefault": boolean }[]; readonly "pageInfo": { readonly "hasNextPage": boolean; readonly "endCursor": (string | null) } }
  }
  /** Rename a label, or change its color or description. */
  readonly "repo.labels.update": {
    readonly effect: "idempotent"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "label": string; readonly "newName"?: string; readonly "color"?: string; readonly "description"?: string }
    readonly output: { readonly "id": string; readonly "name": string; readonly "description": (string | null); readonly "color": string; readonly "isDefault": boolean }
  }
  /** List the repositories of a user or organisation, newest first unless asked otherwise. */
  readonly "repo.list": {
    readonly effect: "read"
    readonly input: { readonly "owner": string; readonly "visibility"?: ("all" | "public" | "private"); readonly "isFork"?: boolean; readonly "isArchived"?: boolean; readonly "sort"?: ("created" | "updated" | "pushed" | "name" | "stars"); readonly "direction"?: ("asc" | "desc"); readonly "first"?: number; readonly "after"?: string }
    readonly output: { readonly "items": readonly { readonly "id": string; readonly "name": string; readonly "nameWithOwner": string; readonly "description": (string | null); readonly "isPrivate": boolean; readonly "isFork": boolean; readonly "isArchived": boolean; readonly "stargazerCount": number; readonly "url": string; readonly "createdAt": string; readonly "pushedAt": (string | null) }[]; readonly "pageInfo": { readonly "hasNextPage": boolean; readonly "endCursor": (string | null) } }
  }
  /** Create a milestone. */
  readonly "repo.milestones.create": {
    readonly effect: "write"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "title": string; readonly "description"?: string; readonly "dueOn"?: string }
    readonly output: { readonly "id": string; readonly "number": number; readonly "title": string; readonly "state": ("OPEN" | "CLOSED"); readonly "url": string }
  }
  /** Delete a milestone. */
  readonly "repo.milestones.delete": {
    readonly effect: "idempotent"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "milestoneNumber": number }
    readonly output: { readonly "milestoneNumber": number; readonly "deleted": boolean }
  }
  /** List the milestones of a repository, the earliest due date first unless asked otherwise. */
  readonly "repo.milestones.list": {
    readonly effect: "read"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "state"?: ("open" | "closed" | "all"); readonly "sort"?: ("due" | "completeness" | "created" | "updated" | "number"); readonly "direction"?: ("asc" | "desc"); readonly "first"?: number; readonly "after"?: string }
    readonly output: { readonly "items": readonly { readonly "id": string; readonly "number": number; readonly "title": string; readonly "description": (string | null); readonly "state": ("OPEN" | "CLOSED"); readonly "url": string; readonly "dueOn": (string | null); readonly "createdAt": string; readonly "updatedAt": string; readonly "closedAt": (string | null) }[]; readonly "pageInfo": { readonly "hasNextPage": boolean; readonly "endCursor": (string | null) } }
  }
  /** Change a milestone, or close or reopen it. */
  readonly "repo.milestones.update": {
    readonly effect: "idempotent"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "milestoneNumber": number; readonly "title"?: string; readonly "description"?: string; readonly "state"?: ("open" | "closed"); readonly "dueOn"?: string }
    readonly output: { readonly "id": string; readonly "number": number; readonly "title": string; readonly "description": (string | null); readonly "state": ("OPEN" | "CLOSED"); readonly "url": string; readonly "dueOn": (string | null) }
  }
  /** Show a milestone, and how much of it is done. */
  readonly "repo.milestones.view": {
    readonly effect: "read"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "milestoneNumber": number }
    readonly output: { readonly "id": string; readonly "number": number; readonly "title": string; readonly "description": (string | null); readonly "state": ("OPEN" | "CLOSED"); readonly "url": string; readonly "creator": (string | null); readonly "openIssueCount": number; readonly "closedIssueCount": number; readonly "dueOn": (string | null); readonly "createdAt": string; readonly "updatedAt": string; readonly "closedAt": (string | null) }
  }
  /** Mark all notifications of a repository as read that were updated up to a time. */
  readonly "repo.notifications.read_all": {
    readonly effect: "idempotent"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "lastReadAt": string }
    readonly output: { readonly "lastReadAt": string; readonly "finished": boolean }
  }
  /** Show a ruleset, the refs that it applies to, and its rules. */
  readonly "repo.ruleset.view": {
    readonly effect: "read"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "rulesetId": number }
    readonly output: { readonly "id": string; readonly "rulesetId": number; readonly "name": string; readonly "target": (string | null); readonly "enforcement": ("ACTIVE" | "DISABLED" | "EVALUATE"); readonly "sourceType": ("REPOSITORY" | "ORGANIZATION" | "ENTERPRISE"); readonly "source": string; readonly "include": readonly string[]; readonly "exclude": readonly string[]; readonly "rules": readonly { readonly "type": string; readonly "parameters": ({ readonly [name: string]: unknown } | null) }[]; readonly "bypassActors": (readonly { readonly "type": string; readonly "actorId": (number | null); readonly "mode": (string | null) }[] | null); readonly "viewerBypass": (string | null); readonly "url": (string | null); readonly "createdAt": (string | null); readonly "updatedAt": (string | null) }
  }
  /** List the rulesets that apply to a repository, with those of its organisation unless left out. */
  readonly "repo.rulesets.list": {
    readonly effect: "read"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "targets"?: readonly ("BRANCH" | "TAG" | "PUSH")[]; readonly "includeParents"?: boolean; readonly "first"?: number; readonly "after"?: string }
    readonly output: { readonly "items": readonly { readonly "id": string; readonly "rulesetId": number; readonly "name": string; readonly "target": (string | null); readonly "enforcement": ("ACTIVE" | "DISABLED" | "EVALUATE"); readonly "sourceType": ("REPOSITORY" | "ORGANIZATION" | "ENTERPRISE"); readonly "source": string; readonly "createdAt": string; readonly "updatedAt": string }[]; readonly "pageInfo": { readonly "hasNextPage": boolean; readonly "endCursor": (string | null) } }
  }
  /** Reopen an alert about a secret that was resolved. */
  readonly "repo.secret_scanning.alert.reopen": {
    readonly effect: "idempotent"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "alertNumber": number }
    readonly output: { readonly "number": number; readonly "state": "OPEN"; readonly "url": string }
  }
  /** Close an alert about a secret, with what became of the secret. */
  readonly "repo.secret_scanning.alert.resolve": {
    readonly effect: "idempotent"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "alertNumber": number; readonly "resolution": ("FALSE_POSITIVE" | "WONT_FIX" | "REVOKED" | "USED_IN_TESTS"); readonly "comment"?: string }
    readonly output: { readonly "number": number; readonly "state": "RESOLVED"; readonly "resolution": (string | null); readonly "resolvedAt": (string | null); readonly "resolvedBy": (string | null); readonly "url": string }
  }
  /** Show where GitHub found a secret and whether it still works, without the secret itself. */
  readonly "repo.secret_scanning.alert.view": {
    readonly effect: "read"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "alertNumber": number }
    readonly output: { readonly "number": number; readonly "state": ("OPEN" | "RESOLVED"); readonly "secretType": string; readonly "secretTypeName": (string | null); readonly "provider": (string | null); readonly "validity": ("ACTIVE" | "INACTIVE" | "UNKNOWN" | null); readonly "isPubliclyLeaked": (boolean | null); readonly "isMultiRepo": (boolean | null); readonly "isPushProtectionBypassed": (boolean | null); readonly "pushProtectionBypassedBy": (string | null); readonly "location": ({ readonly "path": (string | null); readonly "startLine": (number | null); readonly "endLine": (number | null); readonly "commitSha": (string | null); readonly "url": (string | null) } | null); readonly "hasMoreLocations": boolean; readonly "createdAt": string; readonly "updatedAt": (string | null); readonly "resolvedAt": (string | null); readonly "resolvedBy": (string | null); readonly "resolution": (string | null); readonly "resolutionComment": (string | null); readonly "url": string }
  }
  /** List the secrets that GitHub found in a repository, without the secrets themselves; newest first unless asked otherwise. */
  readonly "repo.secret_scanning.alerts.list": {
    readonly effect: "read"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "state"?: ("OPEN" | "RESOLVED"); readonly "secretTypes"?: readonly string[]; readonly "providers"?: readonly string[]; readonly "resolutions"?: readonly ("FALSE_POSITIVE" | "WONT_FIX" | "REVOKED" | "USED_IN_TESTS" | "PATTERN_EDITED" | "PATTERN_DELETED")[]; readonly "validities"?: readonly ("ACTIVE" | "INACTIVE" | "UNKNOWN")[]; readonly "isPubliclyLeaked"?: boolean; readonly "isMultiRepo"?: boolean; readonly "isPushProtectionBypassed"?: boolean; readonly "sort"?: ("created" | "updated"); readonly "direction"?: ("asc" | "desc"); readonly "first"?: number; readonly "after"?: string }
    readonly output: { readonly "items": readonly { readonly "number": number; readonly "state": ("OPEN" | "RESOLVED"); readonly "secretType": string; readonly "secretTypeName": (string | null); readonly "provider": (string | null); readonly "validity": ("ACTIVE" | "INACTIVE" | "UNKNOWN" | null); readonly "isPubliclyLeaked": (boolean | null); readonly "isMultiRepo": (boolean | null); readonly "isPushProtectionBypassed": (boolean | null); readonly "pushProtectionBypassedBy": (string | null); readonly "location": ({ readonly "path": (string | null); readonly "startLine": (number | null); readonly "endLine": (number | null); readonly "commitSha": (string | null); readonly "url": (string | null) } | null); readonly "hasMoreLocations": boolean; readonly "createdAt": string; readonly "updatedAt": (string | null); readonly "resolvedAt": (string | null); readonly "resolvedBy": (string | null); readonly "resolution": (string | null); readonly "resolutionComment": (string | null); readonly "url": string }[]; readonly "pageInfo": { readonly "hasNextPage": boolean; readonly "endCursor": (string | null) } }
  }
  /** Show the settings of a repository that repo.update changes. */
  readonly "repo.settings.view": {
    readonly effect: "read"
    readonly input: { readonly "owner": string; readonly "name": string }
    readonly output: { readonly "nameWithOwner": string; readonly "description": (string | null); readonly "homepageUrl": (string | null); readonly "visibility": ("PUBLIC" | "PRIVATE" | "INTERNAL"); readonly "defaultBranch": string; readonly "hasIssues": boolean; readonly "hasWiki": boolean; readonly "allowMergeCommit": boolean; readonly "allowSquashMerge": boolean; readonly "allowRebaseMerge": boolean; readonly "allowAutoMerge": boolean }
  }
  /** Star a repository for the credential's user. */
  readonly "repo.star": {
    readonly effect: "idempotent"
    readonly input: { readonly "owner": string; readonly "name": string }
    readonly output: { readonly "isStarred": boolean }
  }
  /** Show whether the credential's user has starred a repository. */
  readonly "repo.starred.view": {
    readonly effect: "read"
    readonly input: { readonly "owner": string; readonly "name": string }
    readonly output: { readonly "isStarred": boolean }
  }
  /** Stop watching or ignoring a repository, so that only mentions and the user's own threads notify. */
  readonly "repo.subscription.delete": {
    readonly effect: "idempotent"
    readonly input: { readonly "owner": string; readonly "name": string }
    readonly output: { readonly "subscription": ("SUBSCRIBED" | "UNSUBSCRIBED" | "IGNORED") }
  }
  /** Watch a repository, or ignore it. */
  readonly "repo.subscription.set": {
    readonly effect: "idempotent"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "subscription": ("SUBSCRIBED" | "IGNORED") }
    readonly output: { readonly "subscription": ("SUBSCRIBED" | "UNSUBSCRIBED" | "IGNORED") }
  }
  /** Show whether the credential's user watches or ignores a repository. */
  readonly "repo.subscription.view": {
    readonly effect: "read"
    readonly input: { readonly "owner": string; readonly "name": string }
    readonly output: { readonly "subscription": ("SUBSCRIBED" | "UNSUBSCRIBED" | "IGNORED") }
  }
  /** Create a tag. */
  readonly "repo.tag.create": {
    readonly effect: "write"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "tag": string; readonly "from"?: string; readonly "message"?: string }
    readonly output: { readonly "name": string; readonly "sha": string }
  }
  /** Delete a tag. */
  readonly "repo.tag.delete": {
    readonly effect: "idempotent"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "tag": string; readonly "sha"?: string }
    readonly output: { readonly "name": string; readonly "sha": string; readonly "deleted": boolean }
  }
  /** Show one tag. */
  readonly "repo.tag.view": {
    readonly effect: "read"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "tag": string }
    readonly output: { readonly "name": string; readonly "sha": string; readonly "isAnnotated": boolean; readonly "message": (string | null); readonly "tagger": ({ readonly "name": (string | null); readonly "email": (string | null) } | null) }
  }
  /** List the tags of a repository, in the reverse order of their names. */
  readonly "repo.tags.list": {
    readonly effect: "read"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "prefix"?: string; readonly "first"?: number; readonly "after"?: string }
    readonly output: { readonly "items": readonly { readonly "name": string; readonly "sha": string }[]; readonly "pageInfo": { readonly "hasNextPage": boolean; readonly "endCursor": (string | null) } }
  }
  /** Set the topics of a repository, replacing those it has. */
  readonly "repo.topics.set": {
    readonly effect: "idempotent"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "topics": readonly string[] }
    readonly output: { readonly "topics": readonly string[] }
  }
  /** List the files and folders of a folder, or everything below it. */
  readonly "repo.tree.list": {
    readonly effect: "read"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "path"?: string; readonly "ref"?: string; readonly "recursive"?: boolean; readonly "first"?: number; readonly "after"?: string }
    readonly output: { readonly "items": readonly { readonly "path": string; readonly "type": ("blob" | "tree" | "commit"); readonly "mode": ("100644" | "100755" | "120000" | "040000" | "160000"); readonly "sha": string; readonly "size": (number | null) }[]; readonly "pageInfo": { readonly "hasNextPage": boolean; readonly "endCursor": (string | null) }; readonly "truncated": boolean }
  }
  /** Take a repository out of the archive, so that it can change again. */
  readonly "repo.unarchive": {
    readonly effect: "idempotent"
    readonly input: { readonly "owner": string; readonly "name": string }
    readonly output: { readonly "isArchived": boolean }
  }
  /** Take the star of the credential's user from a repository. */
  readonly "repo.unstar": {
    readonly effect: "idempotent"
    readonly input: { readonly "owner": string; readonly "name": string }
    readonly output: { readonly "isStarred": boolean }
  }
  /** Change the settings of a repository. */
  readonly "repo.update": {
    readonly effect: "idempotent"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "description"?: string; readonly "homepageUrl"?: string; readonly "visibility"?: ("PUBLIC" | "PRIVATE"); readonly "defaultBranch"?: string; readonly "hasIssues"?: boolean; readonly "hasWiki"?: boolean; readonly "allowMergeCommit"?: boolean; readonly "allowSquashMerge"?: boolean; readonly "allowRebaseMerge"?: boolean; readonly "allowAutoMerge"?: boolean }
    readonly output: { readonly "nameWithOwner": string; readonly "description": (string | null); readonly "homepageUrl": (string | null); readonly "visibility": ("PUBLIC" | "PRIVATE" | "INTERNAL"); readonly "defaultBranch": string; readonly "hasIssues": boolean; readonly "hasWiki": boolean; readonly "allowMergeCommit": boolean; readonly "allowSquashMerge": boolean; readonly "allowRebaseMerge": boolean; readonly "allowAutoMerge": boolean }
  }
  /** Show one repository. */
  readonly "repo.view": {
    readonly effect: "read"
    readonly input: { readonly "owner": string; readonly "name": string }
    readonly output: { readonly "id": string; readonly "name": string; readonly "nameWithOwner": string; readonly "description": (string | null); readonly "homepageUrl": (string | null); readonly "visibility": ("PUBLIC" | "PRIVATE" | "INTERNAL"); readonly "isPrivate": boolean; readonly "isArchived": boolean; readonly "isFork": boolean; readonly "parent": (string | null); readonly "repositoryTopics": readonly string[]; readonly "primaryLanguage": (string | null); readonly "licenseInfo": (string | null); readonly "stargazerCount": number; readonly "forkCount": number; readonly "openIssueCount": number; readonly "url": string; readonly "defaultBranch": (string | null); readonly "createdAt": string; readonly "pushedAt": (string | null) }
  }
  /** Send a ping event to a webhook. */
  readonly "repo.webhook.ping": {
    readonly effect: "write"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "webhookId": number }
    readonly output: { readonly "webhookId": number; readonly "pinged": boolean }
  }
  /** List the webhooks of a repository, without their secrets. */
  readonly "repo.webhooks.list": {
    readonly effect: "read"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "first"?: number; readonly "after"?: string }
    readonly output: { readonly "items": readonly { readonly "webhookId": number; readonly "url": (string | null); readonly "contentType": (string | null); readonly "events": readonly string[]; readonly "isActive": boolean; readonly "lastStatus": (string | null); readonly "lastCode": (number | null); readonly "createdAt": string; readonly "updatedAt": string }[]; readonly "pageInfo": { readonly "hasNextPage": boolean; readonly "endCursor": (string | null) } }
  }
  /** Search the files of default branches with the qualifiers of GitHub. */
  readonly "search.code": {
    readonly effect: "read"
    readonly input: { readonly "query": string; readonly "first"?: number; readonly "after"?: string }
    readonly output: { readonly "items": readonly { readonly "name": string; readonly "path": string; readonly "sha": string; readonly "url": string; readonly "repository": string }[]; readonly "totalCount": number; readonly "truncated": boolean; readonly "pageInfo": { readonly "hasNextPage": boolean; readonly "endCursor": (string | null) } }
  }
  /** Search issues and pull requests with the qualifiers of GitHub. */
  readonly "search.issues": {
    readonly effect: "read"
    readonly input: { readonly "query": string; readonly "sort"?: ("created" | "updated" | "comments" | "reactions" | "interactions"); readonly "order"?: ("asc" | "desc"); readonly "first"?: number; readonly "after"?: string }
    readonly output: { readonly "items": readonly { readonly "id": string; readonly "number": number; readonly "title": string; readonly "state": ("OPEN" | "CLOSED" | "MERGED"); readonly "isPullRequest": boolean; readonly "url": string; readonly "repository": string; readonly "author": (string | null); readonly "labels": readonly string[]; readonly "createdAt": string; readonly "updatedAt": string }[]; readonly "totalCount": number; readonly "truncated": boolean; readonly "pageInfo": { readonly "hasNextPage": boolean; readonly "endCursor": (string | null) } }
  }
  /** Search repositories with the qualifiers of GitHub. */
  readonly "search.repos": {
    readonly effect: "read"
    readonly input: { readonly "query": string; readonly "sort"?: ("stars" | "forks" | "updated"); readonly "order"?: ("asc" | "desc"); readonly "first"?: number; readonly "after"?: string }
    readonly output: { readonly "items": readonly { readonly "id": string; readonly "nameWithOwner": string; readonly "description": (string | null); readonly "isPrivate": boolean; readonly "isFork": boolean; readonly "isArchived": boolean; readonly "stargazerCount": number; readonly "forkCount": number; readonly "primaryLanguage": (string | null); readonly "url": string; readonly "updatedAt": string }[]; readonly "totalCount": number; readonly "truncated": boolean; readonly "pageInfo": { readonly "hasNextPage": boolean; readonly "endCursor": (string | null) } }
  }
  /** Search users and organisations with the qualifiers of GitHub. */
  readonly "search.users": {
    readonly effect: "read"
    readonly input: { readonly "query": string; readonly "sort"?: ("followers" | "repositories" | "joined"); readonly "order"?: ("asc" | "desc"); readonly "first"?: number; readonly "after"?: string }
    readonly output: { readonly "items": readonly { readonly "id": string; readonly "login": string; readonly "type": ("User" | "Organization"); readonly "url": string }[]; readonly "totalCount": number; readonly "truncated": boolean; readonly "pageInfo": { readonly "hasNextPage": boolean; readonly "endCursor": (string | null) } }
  }
  /** Show one user's public profile. */
  readonly "user.view": {
    readonly effect: "read"
    readonly input: { readonly "login": string; readonly "include"?: readonly ("email" | "pronouns" | "status")[] }
    readonly output: { readonly "id": string; readonly "login": string; readonly "name": (string | null); readonly "bio": (string | null); readonly "company": (string | null); readonly "location": (string | null); readonly "websiteUrl": (string | null); readonly "twitterUsername": (string | null); readonly "isHireable": boolean; readonly "url": string; readonly "followerCount": number; readonly "followingCount": number; readonly "publicRepositoryCount": number; readonly "publicGistCount": number; readonly "createdAt": string; readonly "email"?: (string | null); readonly "pronouns"?: (string | null); readonly "status"?: ({ readonly "emoji": (string | null); readonly "message": (string | null) } | null) }
  }
  /** Accept an invitation to a repository. */
  readonly "viewer.invitations.accept": {
    readonly effect: "idempotent"
    readonly input: { readonly "invitationId": number }
    readonly output: { readonly "invitationId": number; readonly "accepted": boolean }
  }
  /** Decline an invitation to a repository. */
  readonly "viewer.invitations.decline": {
    readonly effect: "idempotent"
    readonly input: { readonly "invitationId": number }
    readonly output: { readonly "invitationId": number; readonly "declined": boolean }
  }
  /** List the repositories to which the credential's user is invited. */
  readonly "viewer.invitations.list": {
    readonly effect: "read"
    readonly input: { readonly "first"?: number; readonly "after"?: string }
    readonly output: { readonly "items": readonly { readonly "invitationId": number; readonly "repository": string; readonly "inviter": (string | null); readonly "permission": ("READ" | "TRIAGE" | "WRITE" | "MAINTAIN" | "ADMIN"); readonly "createdAt": string; readonly "url": string }[]; readonly "pageInfo": { readonly "hasNextPage": boolean; readonly "endCursor": (string | null) } }
  }
  /** List the repositories that the credential's user has starred, the latest first. */
  readonly "viewer.starred.list": {
    readonly effect: "read"
    readonly input: { readonly "first"?: number; readonly "after"?: string }
    readonly output: { readonly "items": readonly { readonly "nameWithOwner": string; readonly "description": (string | null); readonly "url": string; readonly "stargazerCount": number; readonly "isArchived": boolean; readonly "isPrivate": boolean }[]; readonly "pageInfo": { readonly "hasNextPage": boolean; readonly "endCursor": (string | null) } }
  }
  /** Show the user of the credential. */
  readonly "viewer.view": {
    readonly effect: "read"
    readonly input: { readonly [name: string]: never }
    readonly output: { readonly "id": string; readonly "login": string; readonly "url": string }
  }
  /** Delete a cache of GitHub Actions. */
  readonly "workflow.cache.delete": {
    readonly effect: "idempotent"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "cacheId": number }
    readonly output: { readonly "cacheId": number; readonly "deleted": boolean }
  }
  /** List the caches of GitHub Actions in a repository, the most recently used first. */
  readonly "workflow.caches.list": {
    readonly effect: "read"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "ref"?: string; readonly "key"?: string; readonly "first"?: number; readonly "after"?: string }
    readonly output: { readonly "items": readonly { readonly "cacheId": number; readonly "key": string; readonly "ref": string; readonly "version": string; readonly "sizeInBytes": number; readonly "createdAt": string; readonly "lastAccessedAt": string }[]; readonly "pageInfo": { readonly "hasNextPage": boolean; readonly "endCursor": (string | null) } }
  }
  /** Disable a workflow, so that no event starts it. */
  readonly "workflow.disable": {
    readonly effect: "idempotent"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "workflowId": (number | string) }
    readonly output: { readonly "workflowId": (number | string); readonly "state": ("ACTIVE" | "DELETED" | "DISABLED_FORK" | "DISABLED_INACTIVITY" | "DISABLED_MANUALLY") }
  }
  /** Start a workflow that has the workflow_dispatch trigger. */
  readonly "workflow.dispatch": {
    readonly effect: "write"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "workflowId": (number | string); readonly "ref": string; readonly "inputs"?: { readonly [name: string]: (string | number | boolean) } }
    readonly output: { readonly "workflowId": (number | string); readonly "ref": string; readonly "dispatched": boolean; readonly "runId": (number | null) }
  }
  /** Enable a workflow that was disabled. */
  readonly "workflow.enable": {
    readonly effect: "idempotent"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "workflowId": (number | string) }
    readonly output: { readonly "workflowId": (number | string); readonly "state": ("ACTIVE" | "DELETED" | "DISABLED_FORK" | "DISABLED_INACTIVITY" | "DISABLED_MANUALLY") }
  }
  /** Read the log of a finished job unchanged. */
  readonly "workflow.job.logs.raw": {
    readonly effect: "read"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "jobId": number }
    readonly output: { readonly "jobId": number; readonly "log": string; readonly "truncated": boolean }
  }
  /** Summarize the log of a finished job: its errors (30 at most), warnings (10), and the last 50 lines of each failed step, a line cut at 1000 characters. */
  readonly "workflow.job.logs.view": {
    readonly effect: "read"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "jobId": number }
    readonly output: { readonly "jobId": number; readonly "truncated": boolean; readonly "summary": { readonly "name": string; readonly "status": string; readonly "conclusion": (string | null); readonly "lineCount": number; readonly "errorCount": number; readonly "errors": readonly string[]; readonly "warningCount": number; readonly "warnings": readonly string[]; readonly "failedSteps": readonly { readonly "number": number; readonly "name": string; readonly "conclusion": (string | null); readonly "lastLines": readonly string[] }[]; readonly "lastLines": readonly string[] } }
  }
  /** Show one job of a workflow run with its steps. */
  readonly "workflow.job.view": {
    readonly effect: "read"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "jobId": number }
    readonly output: { readonly "id": string; readonly "jobId": number; readonly "runId": number; readonly "name": string; readonly "workflowName": (string | null); readonly "status": string; readonly "conclusion": (string | null); readonly "attempt": number; readonly "headBranch": (string | null); readonly "headSha": string; readonly "createdAt": string; readonly "startedAt": (string | null); readonly "completedAt": (string | null); readonly "url": (string | null); readonly "labels": readonly string[]; readonly "runnerName": (string | null); readonly "runnerGroupName": (string | null); readonly "steps": readonly { readonly "number": number; readonly "name": string; readonly "status": string; readonly "conclusion": (string | null); readonly "startedAt": (string | null); readonly "completedAt": (string | null) }[] }
  }
  /** List the workflows of a repository. */
  readonly "workflow.list": {
    readonly effect: "read"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "first"?: number; readonly "after"?: string }
    readonly output: { readonly "items": readonly { readonly "id": string; readonly "workflowId": number; readonly "name": string; readonly "path": string; readonly "state": ("ACTIVE" | "DELETED" | "DISABLED_FORK" | "DISABLED_INACTIVITY" | "DISABLED_MANUALLY"); readonly "url": string }[]; readonly "pageInfo": { readonly "hasNextPage": boolean; readonly "endCursor": (string | null) } }
  }
  /** List the artifacts of a workflow run. */
  readonly "workflow.run.artifacts.list": {
    readonly effect: "read"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "runId": number; readonly "first"?: number; readonly "after"?: string }
    readonly output: { readonly "items": readonly { readonly "id": string; readonly "artifactId": number; readonly "name": string; readonly "sizeInBytes": number; readonly "expired": boolean; readonly "digest": (string | null); readonly "createdAt": (string | null); readonly "updatedAt": (string | null); readonly "expiresAt": (string | null) }[]; readonly "pageInfo": { readonly "hasNextPage": boolean; readonly "endCursor": (string | null) } }
  }
  /** Cancel a workflow run that is not finished. */
  readonly "workflow.run.cancel": {
    readonly effect: "write"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "runId": number }
    readonly output: { readonly "runId": number; readonly "status": (string | null) }
  }
  /** Approve waiting deployments of a workflow run, so that they go on. */
  readonly "workflow.run.pending_deployments.approve": {
    readonly effect: "write"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "runId": number; readonly "environments": readonly string[]; readonly "comment"?: string }
    readonly output: { readonly "runId": number; readonly "state": "APPROVED"; readonly "environments": readonly string[]; readonly "deployments"?: readonly { readonly "deploymentId": number; readonly "environment": string; readonly "ref": string; readonly "sha": string }[] }
  }
  /** List the environments that a workflow run waits for, with those who may approve, and the reviews so far. */
  readonly "workflow.run.pending_deployments.list": {
    readonly effect: "read"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "runId": number }
    readonly output: { readonly "items": readonly { readonly "environmentId": number; readonly "environment": string; readonly "waitTimer": number; readonly "waitTimerStartedAt": (string | null); readonly "canApprove": boolean; readonly "reviewers": readonly { readonly "type": ("USER" | "TEAM"); readonly "name": string }[] }[]; readonly "reviews": readonly { readonly "state": string; readonly "reviewer": (string | null); readonly "comment": string; readonly "environments": readonly string[] }[] }
  }
  /** Reject waiting deployments of a workflow run, so that their jobs fail. */
  readonly "workflow.run.pending_deployments.reject": {
    readonly effect: "write"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "runId": number; readonly "environments": readonly string[]; readonly "comment"?: string }
    readonly output: { readonly "runId": number; readonly "state": "REJECTED"; readonly "environments": readonly string[]; readonly "deployments"?: readonly { readonly "deploymentId": number; readonly "environment": string; readonly "ref": string; readonly "sha": string }[] }
  }
  /** Run all jobs of a finished workflow run again. */
  readonly "workflow.run.rerun.all": {
    readonly effect: "write"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "runId": number }
    readonly output: { readonly "runId": number; readonly "queued": boolean }
  }
  /** Run the failed jobs of a finished workflow run again, and those that depend on them. */
  readonly "workflow.run.rerun.failed": {
    readonly effect: "write"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "runId": number }
    readonly output: { readonly "runId": number; readonly "queued": boolean }
  }
  /** Show one workflow run with the jobs of its latest attempt. */
  readonly "workflow.run.view": {
    readonly effect: "read"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "runId": number }
    readonly output: { readonly "id": string; readonly "runNumber": number; readonly "displayTitle": string; readonly "workflowName": (string | null); readonly "workflowId": number; readonly "workflowPath": string; readonly "status": (string | null); readonly "conclusion": (string | null); readonly "headBranch": (string | null); readonly "headSha": string; readonly "headRepository": (string | null); readonly "event": string; readonly "actor": (string | null); readonly "triggeringActor": (string | null); readonly "createdAt": string; readonly "updatedAt": string; readonly "startedAt": (string | null); readonly "url": string; readonly "attempt": number; readonly "jobs": readonly { readonly "id": string; readonly "jobId": number; readonly "name": string; readonly "status": string; readonly "conclusion": (string | null); readonly "startedAt": (string | null); readonly "completedAt": (string | null); readonly "url": (string | null) }[] }
  }
  /** List the workflow runs of a repository, newest first. */
  readonly "workflow.runs.list": {
    readonly effect: "read"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "branch"?: string; readonly "event"?: string; readonly "actor"?: string; readonly "headSha"?: string; readonly "status"?: ("completed" | "action_required" | "cancelled" | "failure" | "neutral" | "skipped" | "stale" | "success" | "timed_out" | "in_progress" | "queued" | "requested" | "waiting" | "pending"); readonly "first"?: number; readonly "after"?: string }
    readonly output: { readonly "items": readonly { readonly "id": string; readonly "runId": number; readonly "workflowId": number; readonly "workflowName": (string | null); readonly "path": string; readonly "title": string; readonly "status": (string | null); readonly "conclusion": (string | null); readonly "headBranch": (string | null); readonly "headSha": string; readonly "event": string; readonly "attempt": number; readonly "actor": (string | null); readonly "createdAt": string; readonly "updatedAt": string; readonly "startedAt": (string | null); readonly "url": string }[]; readonly "pageInfo": { readonly "hasNextPage": boolean; readonly "endCursor": (string | null) } }
  }
  /** Show one workflow. */
  readonly "workflow.view": {
    readonly effect: "read"
    readonly input: { readonly "owner": string; readonly "name": string; readonly "workflowId": (number | string) }
    readonly output: { readonly "id": string; readonly "workflowId": number; readonly "name": string; readonly "path": string; readonly "state": ("ACTIVE" | "DELETED" | "DISABLED_FORK" | "DISABLED_INACTIVITY" | "DISABLED_MANUALLY"); readonly "url": string; readonly "badgeUrl": string; readonly "createdAt": string; readonly "updatedAt": string }
  }
}
