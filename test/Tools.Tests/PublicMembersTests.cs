using System.Reflection;
using System.Reflection.Metadata;
using System.Reflection.PortableExecutable;
using System.Runtime.CompilerServices;
using System.Text.RegularExpressions;
using Xunit;

namespace Tools.Tests;

/// <summary>
/// Every public member of the libraries is used by a tool, a test or a sample. A member without a use need not be public.
/// </summary>
[Trait("Category", "Fast")]
public class PublicMembersTests
{
    private const BindingFlags Declared = BindingFlags.Public | BindingFlags.Instance | BindingFlags.Static | BindingFlags.DeclaredOnly;

    // Made by the compiler for records, or called by the framework alone.
    private static readonly HashSet<string> NotOurs = ["Equals", "GetHashCode", "ToString", "Deconstruct", "<Clone>$", "op_Equality",
        "op_Inequality", "GetEnumerator", "Dispose"];

    private static readonly Assembly[] Libraries = [typeof(PerfCommon.SetupException).Assembly, typeof(PerfHub.Hub).Assembly];

    [Fact]
    public void PublicMembers_OfTheLibraries_AreAllUsed()
    {
        Users users = Users.Find();
        string[] unused =
            [.. Libraries.SelectMany(library => library.GetExportedTypes()).SelectMany(type => type.GetMembers(Declared).Where(IsOurs)
            .Where(member =>
                !users.Use(type, member)).Select(member => $"{type.FullName}.{member.Name}")).Distinct().Order(StringComparer.Ordinal)];

        Assert.True(unused.Length == 0, $"{unused.Length} are used by no tool, test or sample:\n{string.Join('\n', unused)}");
    }

    // Constants are whole lists of the wire's. The members that create a record are called by the code for which it is created.
    private static bool IsOurs(MemberInfo member) =>
        (member is PropertyInfo or FieldInfo { IsSpecialName: false, IsLiteral: false } or MethodInfo { IsSpecialName: false }
            || (member is ConstructorInfo && member.DeclaringType!.GetMethod("Deconstruct") is null))
        && !(member is MethodInfo method && method.GetBaseDefinition() != method) // references name the member that it overrides
        && !member.IsDefined(typeof(CompilerGeneratedAttribute)) && !NotOurs.Contains(member.Name);

    // Members that assemblies refer to, and the words of the samples, which are built from the package.
    private sealed class Users
    {
        private readonly HashSet<string> _members = [];
        private readonly HashSet<string> _sampleWords = [];

        public static Users Find()
        {
            Users users = new();
            foreach (string file in Directory.EnumerateFiles(AppContext.BaseDirectory, "*.dll").Where(IsUser).Append(LibraryTests()))
                users.AddReferences(file);
            users.AddSamples();
            return users;
        }

        public bool Use(Type type, MemberInfo member)
        {
            if (_sampleWords.Contains(member is ConstructorInfo ? type.Name : member.Name))
                return true;
            // that of a generic type is known by its arguments only
            string owner = type.IsGenericType ? "" : type.FullName!.Replace('+', '/');
            return member switch
            {
                PropertyInfo property =>
                    _members.Contains($"{owner}.get_{property.Name}") || _members.Contains($"{owner}.set_{property.Name}")
                    || (_members.Contains($"{owner}..ctor") && IsParameter(type, property.Name)),
                _ => _members.Contains($"{owner}.{member.Name}"),
            };
        }

        // A property of a record: set by the code that creates one.
        private static bool IsParameter(Type type, string name) =>
            type.GetConstructors().Any(constructor => constructor.GetParameters().Any(parameter => parameter.Name == name));

        private static bool IsUser(string file) =>
            Path.GetFileName(file) is "Tools.Tests.dll" or "Floods.dll" or "PerfHub.dll" or "PerfTools.Hosting.dll" or "perftools.dll"
                || Path.GetFileName(file).EndsWith("Perf.dll", StringComparison.Ordinal);

        // From the same build: next to the folder of this test.
        private static string LibraryTests() =>
            Path.Combine(AppContext.BaseDirectory.Replace("Tools.Tests", "PerfCommon.Tests", StringComparison.Ordinal),
                "PerfCommon.Tests.dll");

        private void AddReferences(string file)
        {
            using PEReader image = new(File.OpenRead(file));
            MetadataReader reader = image.GetMetadataReader();
            foreach (MemberReferenceHandle handle in reader.MemberReferences)
            {
                MemberReference member = reader.GetMemberReference(handle);
                string owner = member.Parent.Kind == HandleKind.TypeReference ? NameOf(reader, (TypeReferenceHandle)member.Parent) : "";
                _members.Add($"{owner}.{reader.GetString(member.Name)}");
            }
        }

        private static string NameOf(MetadataReader reader, TypeReferenceHandle handle)
        {
            TypeReference type = reader.GetTypeReference(handle);
            string name = reader.GetString(type.Name);
            return type.ResolutionScope.Kind == HandleKind.TypeReference
                ? $"{NameOf(reader, (TypeReferenceHandle)type.ResolutionScope)}/{name}"
                : $"{reader.GetString(type.Namespace)}.{name}";
        }

        private void AddSamples()
        {
            string root = Path.Combine(RepositoryRoot.FullPath, "samples");
            foreach (string file in Directory.EnumerateFiles(root, "*.cs",
                SearchOption.AllDirectories).Where(file => !Regex.IsMatch(file, @"[/\\](obj|bin)[/\\]")))
            {
                _sampleWords.UnionWith(Regex.Matches(File.ReadAllText(file), @"\b[A-Z]\w*").Select(word => word.Value));
            }
        }
    }
}
