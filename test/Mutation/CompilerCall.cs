using System.Text.Json;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

namespace Mutation;

/// <summary>The compiler call of a project's build: its sources and references, and the compiler itself.</summary>
internal sealed class CompilerCall
{
    private readonly string _folder;
    private readonly string[] _arguments;
    private readonly CSharpCommandLineArguments _parsed;

    private CompilerCall(string folder, string[] arguments)
    {
        _folder = folder;
        _arguments = arguments;
        _parsed = CSharpCommandLineParser.Default.Parse(arguments, folder, null);
    }

    /// <summary>Name of the assembly, without extension.</summary>
    public string AssemblyName => Path.GetFileNameWithoutExtension(_parsed.OutputFileName!);

    /// <summary>Queries the build for the arguments of the compiler. The project and its references must have been built.</summary>
    /// <param name="folder">Folder of the project.</param>
    public static CompilerCall Find(string folder)
    {
        string text = Command.Read("dotnet",
            ["msbuild", folder, "-t:PrepareResources;Compile", "-p:Configuration=Release", "-p:DesignTimeBuild=true", "-p:SkipCompilerExecution=true",
            "-p:ProvideCommandLineArgs=true", "-p:BuildProjectReferences=false", "-p:NonExistentFile=__none__", "-getItem:CscCommandLineArgs"]);
        using JsonDocument document = JsonDocument.Parse(text);
        string[] arguments = [.. document.RootElement.GetProperty("Items").GetProperty("CscCommandLineArgs").EnumerateArray()
            .Select(item => item.GetProperty("Identity").GetString()!)];
        return new CompilerCall(Path.GetFullPath(folder), arguments);
    }

    /// <summary>Creates a compilation of the sources, without generated ones.</summary>
    public CSharpCompilation CreateCompilation()
    {
        CSharpParseOptions options = _parsed.ParseOptions.WithDocumentationMode(DocumentationMode.None);
        IEnumerable<SyntaxTree> trees = _parsed.SourceFiles
            .Select(file => CSharpSyntaxTree.ParseText(File.ReadAllText(file.Path), options, file.Path));
        IEnumerable<MetadataReference> references = _parsed.MetadataReferences
            .Select(reference => MetadataReference.CreateFromFile(Path.GetFullPath(reference.Reference, _folder)));
        return CSharpCompilation.Create(AssemblyName, trees, references, _parsed.CompilationOptions);
    }

    /// <summary>Compiles the project with replaced texts of some sources.</summary>
    /// <param name="replaced">Paths of sources, and the texts compiled instead; a path that is no source is compiled too.</param>
    /// <param name="output">The assembly.</param>
    /// <returns>The errors: path, line and column from 1, text; none when it was compiled.</returns>
    public List<CompilerError> Compile(IReadOnlyDictionary<string, string> replaced, string output)
    {
        HashSet<string> sources = [.. _parsed.SourceFiles.Select(file => file.Path)];
        List<string> lines = [.. _arguments.Where(argument => !IsLeftOut(argument)).Select(Quote)];
        lines.AddRange(sources.Select(path => Quote(replaced.GetValueOrDefault(path, path))));
        lines.AddRange(replaced.Where(pair => !sources.Contains(pair.Key)).Select(pair => Quote(pair.Value)));
        lines.AddRange(["/out:" + output, "/nowarn:*", "/warn:0", "/fullpaths"]);
        string response = output + ".rsp";
        File.WriteAllLines(response, lines);
        string csc = Path.Combine(Command.SdkFolder, "Roslyn", "bincore", "csc.dll");
        string text = Command.Read("dotnet", ["exec", csc, "/noconfig", "@" + response], _folder, anyExitCode: true);
        return CompilerError.ReadAll(text);
    }

    // Analyzers only check, generators add sources: only generators are kept.
    private static bool IsLeftOut(string argument)
    {
        if (argument.StartsWith("/analyzer:", StringComparison.Ordinal))
            return !argument.Contains("Generator", StringComparison.Ordinal) && !argument.Contains("SourceGeneration", StringComparison.Ordinal);
        string[] starts = ["/noconfig", "/out:", "/refout:", "/doc:", "/warnaserror", "/warn:", "/nowarn:", "/embed", "/debug", "/fullpaths", "/pathmap:"];
        return starts.Any(start => argument.StartsWith(start, StringComparison.Ordinal)) || argument[0] != '/' || File.Exists(argument);
    }

    private static string Quote(string argument) => argument.Contains('"', StringComparison.Ordinal) ? argument : $"\"{argument}\"";
}
