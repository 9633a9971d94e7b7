using Xunit;

// None of them starts a program.
[assembly: Trait("Category", "Fast")]
