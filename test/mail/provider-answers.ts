import type { MailServer, Refusal } from './mail-server.ts';

interface Answer extends Refusal {
  /** The command that gets this answer; `RCPT TO` when it is missing. */
  at?: MailServer['refusedCommand'];
  /** Whether it says that the recipient's address does not exist. */
  isAboutAddress?: true;
}

/** Answers of mail servers of providers, as they send them. */
export const providerAnswers: Record<string, Answer> = {
  'Gmail, unknown user': {
    code: 550,
    text: [
      '5.1.1 The email account that you tried to reach does not exist. Please try',
      "5.1.1 double-checking the recipient's email address for typos or unnecessary spaces.",
      '5.1.1 https://support.example/mail/?p=NoSuchUser - gsmtp',
    ],
    isAboutAddress: true,
  },
  'Postfix, unknown user': {
    code: 550,
    text: '5.1.1 Recipient address rejected: User unknown in local recipient table',
    isAboutAddress: true,
  },
  'Postfix, unknown domain': {
    code: 550,
    text: '5.1.2 Recipient address rejected: Domain not found',
    isAboutAddress: true,
  },
  'Exim, bad address': {
    code: 501,
    text: '5.1.3 Bad recipient address syntax',
    isAboutAddress: true,
  },
  'Sendmail, mailbox moved': {
    code: 551,
    text: '5.1.6 Mailbox has moved, no forwarding address',
    isAboutAddress: true,
  },
  'Exchange Online, unknown recipient': {
    code: 550,
    text: '5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup',
    isAboutAddress: true,
  },

  'Amazon SES, sender not verified': {
    code: 554,
    text: 'Message rejected: Email address is not verified. The following identities failed the check',
    at: 'DATA',
  },
  'Amazon SES, the same at the recipient': {
    code: 554,
    text: 'Message rejected: Email address is not verified.',
  },
  'Exchange Online, not allowed to send as': {
    code: 550,
    text: '5.2.252 SendAsDenied; foro@foro.example not allowed to send as foro@otro.example',
  },
  'the same, after the message': {
    code: 554,
    text: '5.2.252 SendAsDenied; foro@foro.example not allowed to send as foro@otro.example',
    at: 'DATA',
  },
  'Gmail, too many messages from the sender': {
    code: 550,
    text: '5.4.5 Daily user sending limit exceeded. - gsmtp',
  },
  'a hosting provider, quota': { code: 554, text: 'Sending quota exceeded for this account' },
  'Gmail, DMARC': {
    code: 550,
    text: [
      "5.7.26 Unauthenticated email from foro.example is not accepted due to domain's",
      '5.7.26 DMARC policy. - gsmtp',
    ],
    at: 'DATA',
  },
  'Spamhaus, policy': { code: 554, text: '5.7.1 Service unavailable; Client host blocked' },
  'Postfix, relaying': { code: 554, text: '5.7.1 Relay access denied' },
  'Postfix, sender address': { code: 550, text: '5.1.8 Sender address rejected: Domain not found' },
  'Exim, without an enhanced code': { code: 550, text: 'Administrative prohibition' },
  'an old server, unknown user without an enhanced code': { code: 550, text: 'No such user here' },
  'unknown user, only after the message': { code: 550, text: '5.1.1 User unknown', at: 'DATA' },
  'Gmail, mailbox full': { code: 452, text: '4.2.2 The email account is over quota. - gsmtp' },
  'Exchange, mailbox full': { code: 552, text: '5.2.2 Mailbox full' },
  'Outlook, mailbox disabled': { code: 550, text: '5.2.1 Mailbox disabled for this recipient' },
  'Postfix, greylisting': { code: 450, text: '4.2.0 Recipient address rejected: Greylisted' },
  'unknown user, for now': { code: 450, text: '4.1.1 Recipient address rejected: unverified' },
  'Microsoft, server busy': { code: 421, text: '4.3.2 Service not active, closing channel' },
  'Gmail, authentication required': {
    code: 530,
    text: '5.7.0 Authentication Required. - gsmtp',
    at: 'MAIL FROM',
  },
  'Postfix, sender does not belong to the login': {
    code: 553,
    text: '5.7.1 Sender address rejected: not owned by user foro',
    at: 'MAIL FROM',
  },
  'OVH, sender unknown': { code: 550, text: '5.1.0 Sender rejected', at: 'MAIL FROM' },
  'the code of an unknown user about the sender': {
    code: 550,
    text: '5.1.1 Sender address rejected: User unknown',
    at: 'MAIL FROM',
  },
};
