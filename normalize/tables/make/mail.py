#!/usr/bin/env python3
"""Makes disposable_mail.txt from disposable-email-domains (PyPI): mail.py --out DIR."""
import argparse
import pathlib

import disposable_email_domains


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--out', type=pathlib.Path, required=True)
    out = parser.parse_args().out
    head = '# Mail hosts whose mailboxes are thrown away. Made by make/mail.py.\n'
    hosts = sorted(disposable_email_domains.blocklist)
    (out / 'disposable_mail.txt').write_text(head + '\n'.join(hosts) + '\n', encoding='utf-8')


if __name__ == '__main__':
    main()
