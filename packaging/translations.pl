#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# The part of packaging/translations.sh that reads what Qt's lupdate writes. Bytes throughout: all of it is UTF-8.
#   translations.pl missing FRESH.ts            texts without a translation, as TSV
#   translations.pl fill FRESH.ts FILE.tsv      FRESH.ts with the translations of FILE.tsv, on stdout
#   translations.pl check FRESH.ts KEPT.ts      what KEPT.ts lacks of FRESH.ts, and translations that do not fit
use strict;
use warnings;

my $message = qr{<message>\s*<source>(.*?)</source>(.*?)</message>}s;

sub contents {
    my ($file) = @_;
    open(my $in, '<', $file) or die "$file: cannot read: $!\n";
    local $/;
    return scalar <$in>;
}

sub plain { # of XML
    my ($text) = @_;
    $text =~ s/&#x([0-9a-fA-F]+);/my $c = chr(hex($1)); utf8::encode($c); $c/ge;
    $text =~ s/&lt;/</g;
    $text =~ s/&gt;/>/g;
    $text =~ s/&quot;/"/g;
    $text =~ s/&apos;/'/g;
    $text =~ s/&amp;/&/g;
    return $text;
}

sub xml {
    my ($text) = @_;
    $text =~ s/&/&amp;/g;
    $text =~ s/</&lt;/g;
    $text =~ s/>/&gt;/g;
    $text =~ s/"/&quot;/g;
    $text =~ s/'/&apos;/g;
    return $text;
}

sub field { # of TSV: one line whatever stands in it
    my ($text) = @_;
    $text =~ s/\\/\\\\/g;
    $text =~ s/\n/\\n/g;
    $text =~ s/\t/\\t/g;
    return $text;
}

sub text {
    my ($field) = @_;
    my %meant = (n => "\n", t => "\t", '\\' => '\\');
    $field =~ s/\\(.)/exists $meant{$1} ? $meant{$1} : "\\$1"/ge;
    return $field;
}

# [context, source, translation or undef], in the order of the file.
sub messages {
    my ($file) = @_;
    my @all;
    for my $context (contents($file) =~ m{<context>(.*?)</context>}gs) {
        my ($name) = $context =~ m{<name>(.*?)</name>};
        while ($context =~ /$message/g) {
            my ($source, $rest) = ($1, $2);
            next if $rest =~ /<translation type="(?:vanished|obsolete)"/;
            my ($translation) = $rest =~ m{<translation>(.*?)</translation>}s;
            push @all, [plain($name), plain($source), defined $translation ? plain($translation) : undef];
        }
    }
    return @all;
}

# Why the two cannot stand for one another; empty when they can.
sub difference {
    my ($source, $translation) = @_;
    my $places = sub { join ' ', sort $_[0] =~ /%(?:L?\d+|n)/g };
    return 'other placeholders' if $places->($source) ne $places->($translation);
    my $mnemonics = sub { my $all = () = $_[0] =~ /&(?![&\s]|\w+;)\S/g; return $all; };
    return 'one & marks the key of a menu entry or a button'
        if $mnemonics->($translation) > 1 || $mnemonics->($translation) != $mnemonics->($source);
    return 'the "..." at the end' if ($source =~ /\.\.\.$/) != ($translation =~ /\.\.\.$/);
    my $edges = sub { $_[0] =~ /^(\s*)(?:.*\S)?(\s*)$/s; return "$1|$2"; };
    return 'other white space at an end' if $edges->($source) ne $edges->($translation);
    return '';
}

my ($what, $fresh, $other) = @ARGV;
if ($what eq 'missing') {
    for my $one (messages($fresh)) {
        print join("\t", field($one->[0]), field($one->[1]), ''), "\n" unless defined $one->[2];
    }
} elsif ($what eq 'fill') {
    my %given;
    for my $line (split /\n/, contents($other)) {
        my @fields = split /\t/, $line, -1;
        die "$other: \"$line\": a row is context, source and translation\n" if @fields != 3;
        $given{text($fields[0])}{text($fields[1])} = text($fields[2]) if $fields[2] ne '';
    }
    my $document = contents($fresh);
    $document =~ s{<context>(.*?)</context>}{
        my $context = $1;
        my ($name) = $context =~ m{<name>(.*?)</name>};
        my $known = $given{plain($name)} || {};
        $context =~ s{(<source>)(.*?)(</source>.*?)<translation[^>]*>.*?</translation>}{
            my ($head, $source, $between) = ($1, $2, $3);
            my ($before) = substr($&, length("$head$source$between"));
            my $translation = $known->{plain($source)};
            $head . $source . $between . (defined $translation ? '<translation>' . xml($translation) . '</translation>' : $before);
        }gse;
        "<context>$context</context>";
    }gse;
    print $document;
} elsif ($what eq 'check') {
    my %kept;
    $kept{$_->[0]}{$_->[1]} = $_ for messages($other);
    my $wrong = 0;
    for my $one (messages($fresh)) {
        my $have = $kept{$one->[0]}{$one->[1]};
        my $why = !$have ? 'is not in the file'
                : !defined $have->[2] || $have->[2] eq '' ? 'has no translation'
                : difference($have->[1], $have->[2]);
        next if $why eq '';
        $why .= ': "' . field($have->[2]) . '"' if $have && defined $have->[2];
        print STDERR "$other: $one->[0]: \"", field($one->[1]), "\": $why\n";
        $wrong++;
    }
    print STDERR "translations: $wrong texts. Next: packaging/translations.sh > FILE.tsv, fill in the third column, ",
        "packaging/translations.sh --fill LANGUAGE FILE.tsv\n" if $wrong;
    exit($wrong ? 1 : 0);
}
