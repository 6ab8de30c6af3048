package Shop::Cart;
use strict;
use parent 'Base';

# Makes one.
sub new {
    my ($class, %args) = @_;
    my $self = bless {}, $class;
    $self->init(%args);
    return helper($self);
}

=head2 add

Adds one.

=cut

sub add { my $x = shift; Store::insert($x); compute(1); &old(2); }
sub total($$) { 1 }
my $f = sub { 1 };
package Shop::Item {
    sub price { 2 }
}
package main;
sub main { Shop::Cart->new(1); }
1;
