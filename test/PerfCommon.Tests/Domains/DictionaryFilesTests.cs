using PerfCommon.Codec;
using PerfCommon.Domains;
using Xunit;

namespace PerfCommon.Tests.Domains;

public sealed class DictionaryFilesTests : IDisposable
{
    private static readonly string Shipped = Path.Combine(AppContext.BaseDirectory, "etc");

    private readonly DirectoryInfo _work = Directory.CreateTempSubdirectory("dictionary");

    public void Dispose() => _work.Delete(recursive: true);

    [Fact]
    public void Find_NothingElsewhere_TakesProgramFolder()
    {
        DictionaryFiles files = DictionaryFiles.Find(null, "", _work.FullName, Shipped);

        Assert.Equal(
            new DictionaryFiles(Path.Combine(Shipped, ShippedFiles.FieldDefinitions), Path.Combine(Shipped, ShippedFiles.EnumTables)),
            files);
    }

    [Fact]
    public void Find_Nowhere_TakesTheLibrarysOwn()
    {
        DictionaryFiles files = DictionaryFiles.Find(null, null, _work.FullName, programFolder: _work.FullName);

        Assert.Equal(new DictionaryFiles(null, null), files);
        Assert.Equal(FieldDictionary.Default.Definitions, files.Load().Definitions);
    }

    [Fact]
    public void LoadFound_NothingFound_IsNothing()
    {
        DictionaryFiles files = DictionaryFiles.Find(null, null, _work.FullName, null);

        Assert.Equal(DictionaryContents.Both, files.Missing);
        Assert.Null(files.LoadFound());
    }

    [Fact]
    public void Find_OneInWorkingDirectory_PrefersIt()
    {
        CopyTo(ShippedFiles.FieldDefinitions);

        Assert.Equal(
            Path.Combine(_work.FullName, ShippedFiles.FieldDefinitions),
            DictionaryFiles.Find(null, null, _work.FullName, Shipped).FieldPath);
    }

    [Theory]
    [InlineData(ShippedFiles.FieldDefinitions, DictionaryContents.Enums)]
    [InlineData(ShippedFiles.EnumTables, DictionaryContents.Fields)]
    public void LoadFound_LoneFile_IsReadAndTheOtherMissing(string name, object missing)
    {
        CopyTo(name);
        DictionaryFiles files = DictionaryFiles.Find(null, null, _work.FullName, null);

        Assert.Equal(missing, files.Missing);
        FieldDictionary found = files.LoadFound()!;
        Assert.Equal(name == ShippedFiles.FieldDefinitions, found.Definitions.Count > 0);
        Assert.Equal(name == ShippedFiles.EnumTables, found.EnumTables.Count > 0);
    }

    [Fact]
    public void Find_PathGiven_TakesItRelativeToWorkingDirectory()
    {
        CopyTo(ShippedFiles.FieldDefinitions);
        CopyTo(ShippedFiles.EnumTables);
        File.Move(Path.Combine(_work.FullName, ShippedFiles.EnumTables), Path.Combine(_work.FullName, "mine"));

        DictionaryFiles files = DictionaryFiles.Find(null, "mine", _work.FullName, null);

        Assert.Equal(Path.Combine(_work.FullName, "mine"), files.EnumPath);
        Assert.NotEmpty(files.Load().EnumTables);
    }

    [Fact]
    public void Find_GivenPathMissing_IsAnError()
    {
        SetupException failure = Assert.Throws<SetupException>(() => DictionaryFiles.Find("gone", null, _work.FullName, Shipped));

        Assert.Equal((SetupProblem.InputFile, "gone: no such dictionary file"), (failure.Problem, failure.Message));
    }

    [Fact]
    public void Load_ShippedFiles_CoverTheMessages()
    {
        FieldDictionary dictionary = DictionaryFiles.Find(null, null, _work.FullName, Shipped).Load();

        string first = File.ReadLines(Path.Combine(Shipped, ShippedFiles.FieldDefinitions)).First(line => line[0] != '!');
        Assert.StartsWith("PROD_PERM ", first, StringComparison.Ordinal);
        Assert.Equal(DataType.UInt, dictionary.TypeOf(1));
        Assert.All([3902, 3903, 3904], fid => Assert.Equal(DataType.UInt, dictionary.TypeOf((short)fid)));
        Assert.True(dictionary.Definitions.Count > 100);
        Assert.True(dictionary.TryFind("BID", out FieldDefinition? bid) && bid.Fid == 22 && bid.RipplesTo == 23);
    }

    [Fact]
    public void Load_ShippedFiles_GiveEveryEnumFieldATable()
    {
        FieldDictionary dictionary = DictionaryFiles.Find(null, null, _work.FullName, Shipped).Load();

        Assert.All(
            dictionary.Definitions.Where(field => field.DataType == DataType.Enum),
            field => Assert.True(dictionary.TryFindEnumTable(field.Fid, out EnumTable? table) && table.TryFind(0, out _)));
        Assert.All(
            dictionary.EnumTables.SelectMany(table => table.Fids),
            fid => Assert.Equal(DataType.Enum, dictionary.TypeOf(fid)));
    }

    [Fact]
    public void TypeOf_UnknownField_IsUnknown()
    {
        FieldDictionary dictionary = new FieldDictionaryBuilder().Build();

        Assert.Equal(DataType.Unknown, dictionary.TypeOf(-1));
        Assert.False(dictionary.TryFind(-1, out _));
        Assert.False(dictionary.TryFind("BID", out _));
    }

    private void CopyTo(string name) => File.Copy(Path.Combine(Shipped, name), Path.Combine(_work.FullName, name));
}
