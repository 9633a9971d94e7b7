using System.Reflection;
using System.Reflection.Metadata;
using System.Reflection.PortableExecutable;
using System.Text.Json;
using Xunit;

namespace Tools.Tests;

/// <summary>
/// The output of the build: sources and commit in the assemblies, and launch files that start programs with options they accept.
/// </summary>
[Trait("Category", "Fast")]
public class BuiltFilesTests
{
    private static readonly Guid EmbeddedSource = new("0E8A571B-6926-466E-B4AD-8AB04611F5FE");

    public static TheoryData<string> Shipped =>
        ["PerfCommon", "PerfHub", "PerfTools.Hosting", "ConsPerf", "ProvPerf", "NIProvPerf", "HubPerf", "LatencyPerf", "TransportPerf", "UsersPerf",
            "perftools"];

    [Theory]
    [MemberData(nameof(Shipped))]
    public void Assembly_Shipped_CarriesItsSourcesByPathsOfNoMachine(string name)
    {
        using PEReader image = new(File.OpenRead(Path.Combine(AppContext.BaseDirectory, name + ".dll")));
        DebugDirectoryEntry embedded = Assert.Single(
            image.ReadDebugDirectory(), entry => entry.Type == DebugDirectoryEntryType.EmbeddedPortablePdb);
        using MetadataReaderProvider symbols = image.ReadEmbeddedPortablePdbDebugDirectoryData(embedded);
        MetadataReader reader = symbols.GetMetadataReader();

        Assert.All(reader.Documents, handle =>
        {
            string path = reader.GetString(reader.GetDocument(handle).Name);
            Assert.Contains(
                reader.GetCustomDebugInformation(handle),
                info => reader.GetGuid(reader.GetCustomDebugInformation(info).Kind) == EmbeddedSource);
            if (IsRelease)
                Assert.StartsWith("/_/", path, StringComparison.Ordinal);
        });
    }

    [Theory]
    [MemberData(nameof(Shipped))]
    public void Assembly_Shipped_NamesItsCommit(string name)
    {
        Assert.SkipUnless(Path.Exists(Path.Combine(RepositoryRoot.FullPath, ".git")), "built outside a repository");
        string version = Assembly.Load(name).GetCustomAttribute<AssemblyInformationalVersionAttribute>()!.InformationalVersion;

        Assert.Matches(@"^0\.\d+\.\d+\+[0-9a-f]{40}$", version);
    }

    [Fact]
    public void Launch_EveryConfiguration_StartsAProgramWithOptionsItTakes()
    {
        JsonElement launch = Read(".vscode/launch.json");
        foreach (JsonElement entry in launch.GetProperty("configurations").EnumerateArray())
        {
            string tool = Path.GetFileNameWithoutExtension(entry.GetProperty("program").GetString()!);
            Assert.True(File.Exists(Path.Combine(AppContext.BaseDirectory, tool + ".dll")), tool);
            string[] args = [.. entry.GetProperty("args").EnumerateArray().Select(arg => arg.GetString()!)];
            if (ToolTable.Roles.TryGetValue(tool, out ToolTable? table))
                Assert.Null(table.FindProblem(args));
        }
    }

    [Fact]
    public void Launch_EveryCompound_NamesConfigurationsAndTasksThatAreThere()
    {
        JsonElement launch = Read(".vscode/launch.json");
        string[] names = Names(launch.GetProperty("configurations"), "name");
        string[] tasks = Names(Read(".vscode/tasks.json").GetProperty("tasks"), "label");
        JsonElement[] compounds = [.. launch.GetProperty("compounds").EnumerateArray()];

        Assert.Contains(compounds, compound => compound.GetProperty("name").GetString() == "ProvPerf + ConsPerf");
        Assert.All(compounds, compound => Assert.All(
            compound.GetProperty("configurations").EnumerateArray(), name => Assert.Contains(name.GetString(), names)));
        Assert.All(
            compounds.Concat(launch.GetProperty("configurations").EnumerateArray()),
            entry => Assert.Contains(entry.GetProperty("preLaunchTask").GetString(), tasks));
    }

    [Fact]
    public void SolutionLaunch_EveryProject_Exists()
    {
        IEnumerable<JsonElement> projects = Read("PerfTools.slnLaunch").EnumerateArray()
            .SelectMany(profile => profile.GetProperty("Projects").EnumerateArray());
        Assert.All(projects, project => Assert.True(
            File.Exists(Path.Combine(RepositoryRoot.FullPath, project.GetProperty("Path").GetString()!.Replace('\\', '/'))),
            project.ToString()));
    }

    private static bool IsRelease =>
        typeof(BuiltFilesTests).Assembly.GetCustomAttribute<AssemblyConfigurationAttribute>()?.Configuration == "Release";

    private static JsonElement Read(string file) =>
        JsonDocument.Parse(File.ReadAllText(Path.Combine(RepositoryRoot.FullPath, file))).RootElement;

    private static string[] Names(JsonElement entries, string property) =>
        [.. entries.EnumerateArray().Select(entry => entry.GetProperty(property).GetString()!)];
}
