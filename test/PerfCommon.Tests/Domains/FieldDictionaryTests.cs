using PerfCommon.Domains;
using Xunit;

namespace PerfCommon.Tests.Domains;

public sealed class FieldDictionaryTests
{
    private static readonly string Shipped = Path.Combine(AppContext.BaseDirectory, "etc");

    [Fact]
    public void Default_Always_IsTheShippedFiles()
    {
        FieldDictionary files = FieldDictionary.Load(Path.Combine(Shipped, "RDMFieldDictionary"), Path.Combine(Shipped, "enumtype.def"));

        Assert.Equal(files.Definitions, FieldDictionary.Default.Definitions);
        Assert.Equal(files.EnumTables.SelectMany(table => table.Fids), FieldDictionary.Default.EnumTables.SelectMany(table => table.Fids));
        Assert.Same(FieldDictionary.Default, FieldDictionary.Default);
    }

    [Fact]
    public void Load_FileAbsent_SaysSo() => Assert.Equal(
        SetupProblem.InputFile, Assert.Throws<SetupException>(() => FieldDictionary.Load("no-such-dictionary")).Problem);
}
